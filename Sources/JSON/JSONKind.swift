/// The kind of a JSON value, determined by its first byte.
public enum JSONKind: Equatable, Sendable {
  /// An object, `{`.
  case object
  /// An array, `[`.
  case array
  /// A string.
  case string
  /// A number.
  case number
  /// `true` or `false`.
  case boolean
  /// `null`.
  case null

  /// Creates the kind of value that begins with a byte, or `nil` if no value does.
  public init?(firstByte: UInt8) {
    switch firstByte {
    case Ascii.openBrace: self = .object
    case Ascii.openBracket: self = .array
    case Ascii.quote: self = .string
    case Ascii.minus, Ascii.zero...Ascii.nine: self = .number
    case Ascii.t, Ascii.f: self = .boolean
    case Ascii.n: self = .null
    default: return nil
    }
  }
}
