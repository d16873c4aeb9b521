/// The ASCII bytes of the JSON grammar.
///
/// The structural ones are computed properties, so that they are constants where inlined.
@usableFromInline
enum Ascii {
  @inlinable static var tab: UInt8 { 0x09 }
  @inlinable static var newline: UInt8 { 0x0A }
  @inlinable static var carriageReturn: UInt8 { 0x0D }
  @inlinable static var space: UInt8 { 0x20 }
  @inlinable static var quote: UInt8 { 0x22 }
  @inlinable static var plus: UInt8 { 0x2B }
  @inlinable static var comma: UInt8 { 0x2C }
  @inlinable static var minus: UInt8 { 0x2D }
  @inlinable static var point: UInt8 { 0x2E }
  static let slash: UInt8 = 0x2F
  @inlinable static var zero: UInt8 { 0x30 }
  @inlinable static var nine: UInt8 { 0x39 }
  @inlinable static var colon: UInt8 { 0x3A }
  @inlinable static var openBracket: UInt8 { 0x5B }
  @inlinable static var backslash: UInt8 { 0x5C }
  @inlinable static var closeBracket: UInt8 { 0x5D }
  @inlinable static var openBrace: UInt8 { 0x7B }
  static let tilde: UInt8 = 0x7E
  @inlinable static var closeBrace: UInt8 { 0x7D }
  @inlinable static var e: UInt8 { 0x65 }
  static let b: UInt8 = 0x62
  @inlinable static var f: UInt8 { 0x66 }
  @inlinable static var n: UInt8 { 0x6E }
  static let r: UInt8 = 0x72
  @inlinable static var t: UInt8 { 0x74 }
  static let u: UInt8 = 0x75

  /// The literals as little-endian words.
  @inlinable static var trueWord: UInt64 { 0x6575_7274 }
  @inlinable static var falseWord: UInt64 { 0x65_736C_6166 }
  @inlinable static var nullWord: UInt64 { 0x6C6C_756E }

  /// Returns the value of a hexadecimal digit, or `nil` for another byte.
  static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte &- 0x30)
    case 0x41...0x46: UInt32(byte &- 0x37)
    case 0x61...0x66: UInt32(byte &- 0x57)
    default: nil
    }
  }

  /// Returns true if the byte is a decimal digit.
  @inlinable
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }
}
