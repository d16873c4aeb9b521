/// A Swift file with its lines, its code and its comments.
struct SourceText: Sendable {
  /// The path from the root of the repository.
  let path: String

  /// The unchanged lines.
  let lines: [String]

  /// The lines with comments and string contents blanked.
  let code: [String]

  /// The lines with everything except comments blanked.
  let comments: [String]

  init(path: String, text: String) {
    self.path = path
    var mask = SourceMask(text)
    mask.run()
    lines = splitLines(Array(text.utf8))
    code = splitLines(mask.code)
    comments = splitLines(mask.comments)
  }

  /// The target of the file: the folder below `Sources` or `Tests`.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[1]) : ""
  }

  /// True if the file belongs to the product and not to its tests.
  var isProduct: Bool { path.hasPrefix("Sources/") }

  /// Returns a finding in this file.
  func finding(line index: Int, _ message: String) -> Finding {
    Finding(path: path, line: index + 1, message: message)
  }
}

/// Returns the lines of a text, without an empty one after the last line feed.
func splitLines(_ text: [UInt8]) -> [String] {
  var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  if lines.last == "" { lines.removeLast() }
  return lines
}

extension String {
  /// The text without surrounding spaces.
  var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[first...last])
  }

  /// Returns true if a word occurs that is no part of a longer identifier.
  func hasWord(_ word: String) -> Bool {
    words.contains(word[...])
  }

  /// The identifiers and numbers of a line of code.
  var words: [Substring] {
    split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
