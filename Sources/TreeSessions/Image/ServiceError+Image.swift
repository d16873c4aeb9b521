import TreeDomain
import TreeEngine

extension ServiceError {
  /// Writes the parts of a refusal that its client gets.
  func write(to writer: inout ByteWriter) {
    writer.append(string: Array(code.rawValue.utf8)[...])
    writer.append(string: Array(detail.utf8)[...])
    for number in [operation, byteOffset, line, rowCount, limit] {
      writer.append(optional: number) { $0.append(signed: $1) }
    }
    for text in [key, pointer] {
      writer.append(optional: text) { $0.append(string: Array($1.utf8)[...]) }
    }
    writer.append(optional: revision) { $0.append($1) }
  }

  /// Reads a refusal that ``write(to:)`` has written.
  init(reading reader: inout ByteReader) throws(ImageError) {
    let name = String(decoding: try reader.string(), as: UTF8.self)
    guard let code = ServiceErrorCode(rawValue: name) else { throw .damaged }
    self.init(code, String(decoding: try reader.string(), as: UTF8.self))
    operation = try reader.optionalNumber()
    byteOffset = try reader.optionalNumber()
    line = try reader.optionalNumber()
    rowCount = try reader.optionalNumber()
    limit = try reader.optionalNumber()
    key = try reader.optionalText()
    pointer = try reader.optionalText()
    revision = try reader.optional { reader throws(ImageError) in try reader.revision() }
  }
}

extension ByteReader {
  fileprivate mutating func optionalNumber() throws(ImageError) -> Int? {
    try optional { reader throws(ImageError) in try reader.signed() }
  }

  fileprivate mutating func optionalText() throws(ImageError) -> String? {
    try optional { reader throws(ImageError) in
      String(decoding: try reader.string(), as: UTF8.self)
    }
  }
}
