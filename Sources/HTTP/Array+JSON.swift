extension Array where Element == UInt8 {
  /// Appends a JSON string (RFC 8259, 7).
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 { append(json: byte, isText: true) }
    append(UInt8(ascii: "\""))
  }

  /// Appends a byte of a JSON string, escaped if necessary.
  ///
  /// - Parameters:
  ///   - byte: The byte.
  ///   - isText: True if the bytes are valid UTF-8. Otherwise bytes above 0x7E are escaped as
  ///     Latin-1, so that the result is always valid UTF-8.
  mutating func append(json byte: UInt8, isText: Bool) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"))
      append(byte)
    case 0x20..<0x7F: append(byte)
    case 0x7F... where isText: append(byte)
    default:
      append(contentsOf: "\\u00".utf8)
      for digit in [byte >> 4, byte & 15] {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
