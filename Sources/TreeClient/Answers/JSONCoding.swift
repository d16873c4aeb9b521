import Foundation

/// The encoding and decoding of bodies.
enum JSONCoding {
  /// Encodes a value, always with the same bytes.
  ///
  /// Members are sorted, because a retry after a restart must have the same body.
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Decodes a value.
  ///
  /// - Throws: ``TreeProblem``. The code is `no-answer`, which can be retried, if the bytes are not
  ///   JSON, for example because the answer was cut off; otherwise `unexpected-answer`.
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
