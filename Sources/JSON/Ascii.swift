/// The ASCII bytes the grammar of JSON speaks of.
///
/// Those of its structure are computed, so that they are constants wherever they are inlined.
@usableFromInline
enum Ascii {
  static let tab: UInt8 = 0x09
  @inlinable static var newline: UInt8 { 0x0A }
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  @inlinable static var quote: UInt8 { 0x22 }
  static let plus: UInt8 = 0x2B
  @inlinable static var comma: UInt8 { 0x2C }
  static let minus: UInt8 = 0x2D
  static let point: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let nine: UInt8 = 0x39
  @inlinable static var colon: UInt8 { 0x3A }
  @inlinable static var openBracket: UInt8 { 0x5B }
  static let backslash: UInt8 = 0x5C
  @inlinable static var closeBracket: UInt8 { 0x5D }
  @inlinable static var openBrace: UInt8 { 0x7B }
  static let tilde: UInt8 = 0x7E
  @inlinable static var closeBrace: UInt8 { 0x7D }
  static let e: UInt8 = 0x65
  static let capitalE: UInt8 = 0x45
  static let b: UInt8 = 0x62
  static let f: UInt8 = 0x66
  static let n: UInt8 = 0x6E
  static let r: UInt8 = 0x72
  static let t: UInt8 = 0x74
  static let u: UInt8 = 0x75

  /// The value of a hexadecimal digit, or `nil`.
  static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte &- 0x30)
    case 0x41...0x46: UInt32(byte &- 0x37)
    case 0x61...0x66: UInt32(byte &- 0x57)
    default: nil
    }
  }

  /// Whether the byte is a decimal digit.
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }
}
