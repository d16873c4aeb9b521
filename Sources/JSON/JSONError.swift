/// A fault in JSON text, with its position.
public struct JSONError: Error, Equatable, Sendable {
  /// The kind of a fault.
  public enum Reason: Equatable, Sendable {
    /// There is no value at all: no bytes, or only white space.
    case emptyInput
    /// The text stops in the middle of a value.
    case unexpectedEnd
    /// A byte that the grammar does not allow at this place.
    case unexpectedByte
    /// Something other than white space follows the value.
    case trailingBytes
    /// The text begins with a byte order mark, which RFC 8259 section 8.1 forbids.
    case byteOrderMark
    /// A string holds bytes that are not UTF-8 (RFC 3629 section 4).
    case invalidUTF8
    /// A string holds an unescaped byte below 0x20 (RFC 8259 section 7).
    case controlByteInString
    /// A backslash is followed by something that is not an escape.
    case invalidEscape
    /// A `\u` escape names one half of a surrogate pair without the other.
    case loneSurrogate
    /// A number does not follow the grammar of RFC 8259 section 6.
    case invalidNumber
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// The value is well formed, but its type is not the requested one.
    case wrongType
    /// The number is well formed, but is no integer or does not fit into `Int`.
    case notAnInteger
  }

  /// The kind of the fault.
  public var reason: Reason
  /// The byte offset of the first byte that is not acceptable, from the start of the text.
  public var offset: Int

  /// Creates a fault of a kind at a byte offset.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// True if the text is not valid JSON; false if it is valid but its value is not acceptable.
  public var isSyntaxFault: Bool {
    switch reason {
    case .wrongType, .notAnInteger: false
    default: true
    }
  }
}
