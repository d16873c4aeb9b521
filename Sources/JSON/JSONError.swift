/// A fault found in JSON text, with the place where it was found.
public struct JSONError: Error, Equatable, Sendable {
  /// What is wrong.
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
    /// A `\u` escape names half of a surrogate pair without the other half.
    case loneSurrogate
    /// A number does not follow the grammar of RFC 8259 section 6.
    case invalidNumber
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// Well formed, but of another type than the reader was asked for.
    case wrongType
    /// A well-formed number that is not an integer, or does not fit into `Int`.
    case notAnInteger
  }

  /// What is wrong.
  public var reason: Reason
  /// The offset, in bytes from the start of the text, of the first byte that cannot stand.
  public var offset: Int

  /// Makes a fault of the given kind at the given byte offset.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// Whether the text is not JSON, rather than JSON that means something unwanted.
  public var isSyntaxFault: Bool {
    switch reason {
    case .wrongType, .notAnInteger: false
    default: true
    }
  }
}
