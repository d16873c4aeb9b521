import Foundation

/// The way bodies are written and read.
enum JSONCoding {
  /// Returns the bytes of a value, the same ones each time.
  ///
  /// A retry after a restart must have the body of before, so members are sorted.
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Reads a value.
  ///
  /// - Throws: ``TreeProblem``: `no-answer`, which is worth a retry, if the bytes are no JSON, as
  ///   where an answer was cut off; else `unexpected-answer`.
  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw TreeProblem.noAnswer("it is no JSON: \(context.debugDescription)")
    } catch {
      throw TreeProblem(code: "unexpected-answer", detail: "\(error)")
    }
  }
}
