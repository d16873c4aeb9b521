/// Functions that build JSON text from parts in JSON.
package enum JSONText {
  /// Returns a string, with only the escapes that JSON requires (RFC 8259, section 7).
  package static func string(_ utf8: [UInt8]) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "\"")]
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: text += escape(UInt16(byte))
      default: text.append(byte)
      }
    }
    return text + [UInt8(ascii: "\"")]
  }

  /// Returns a string, with only the escapes that JSON requires.
  package static func string(_ text: String) -> [UInt8] {
    string(Array(text.utf8))
  }

  /// Returns a string in which every character outside of ASCII is escaped.
  package static func escapedString(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for unit in text.utf16 {
      if unit < 0x80, unit >= 0x20, unit != 0x22, unit != 0x5C {
        bytes.append(UInt8(unit))
      } else {
        bytes += escape(unit)
      }
    }
    return bytes + [UInt8(ascii: "\"")]
  }

  /// Returns the text with spaces for line breaks, which are never part of a string (RFC 8259, 7).
  package static func onOneLine(_ text: [UInt8]) -> [UInt8] {
    text.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
  }

  /// Returns a key as a string, or `null`.
  package static func key(_ key: ModelKey?) -> [UInt8] {
    key.map { string($0.bytes) } ?? Array("null".utf8)
  }

  /// Returns a number, or `null`.
  package static func number(_ number: Int?) -> [UInt8] {
    Array((number.map(String.init) ?? "null").utf8)
  }

  /// Returns `true` or `false`.
  package static func bool(_ value: Bool) -> [UInt8] {
    Array((value ? "true" : "false").utf8)
  }

  /// Returns an array of values.
  package static func array(_ values: [[UInt8]]) -> [UInt8] {
    list(values, from: UInt8(ascii: "["), to: UInt8(ascii: "]"))
  }

  /// Returns an object with members whose names are JSON strings already.
  package static func object(_ members: [([UInt8], [UInt8])]) -> [UInt8] {
    list(
      members.map { $0.0 + [UInt8(ascii: ":")] + $0.1 },
      from: UInt8(ascii: "{"),
      to: UInt8(ascii: "}")
    )
  }

  /// Returns an object with named members.
  package static func object(_ members: [(String, [UInt8])]) -> [UInt8] {
    object(members.map { (string($0.0), $0.1) })
  }

  private static func list(_ values: [[UInt8]], from open: UInt8, to close: UInt8) -> [UInt8] {
    var text = [open]
    for value in values {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += value
    }
    text.append(close)
    return text
  }

  private static func escape(_ unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    let padding = String(repeating: "0", count: 4 - digits.count)
    return Array("\\u\(padding)\(digits)".utf8)
  }
}
