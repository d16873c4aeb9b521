import JSON

/// Returns the bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Returns the text of some bytes, for messages and comparisons.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// Returns the fault that validation finds, or `nil` if the bytes are JSON.
func fault(_ bytes: [UInt8], maxDepth: Int = JSONReader.defaultMaxDepth) -> JSONError? {
  do throws(JSONError) {
    _ = try JSONReader.validate(bytes, maxDepth: maxDepth)
    return nil
  } catch {
    return error
  }
}

func fault(_ text: String) -> JSONError? { fault(utf8(text)) }
