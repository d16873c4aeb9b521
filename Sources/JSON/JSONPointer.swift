/// A JSON Pointer (RFC 6901), parsed once and evaluated on raw JSON text.
public struct JSONPointer: Equatable, Hashable, Sendable {
  /// A step: the name of a member or the index of an element.
  struct Token: Equatable, Hashable, Sendable {
    /// The reference token with its escapes decoded.
    let name: [UInt8]
    /// The token as an array index, or `nil` if it is none (RFC 6901 section 4).
    let index: Int?
  }

  /// The pointer as text.
  public let bytes: [UInt8]
  let tokens: [Token]

  /// The pointer to the whole value: the empty text.
  public static let whole = JSONPointer()

  /// Parses a pointer.
  ///
  /// The text must be empty or begin with `/`, and each `~` must be followed by `0` or `1` (RFC
  /// 6901 section 3). Otherwise the result is `nil`.
  ///
  /// - Parameter bytes: The text, already decoded from a JSON string.
  public init?(_ bytes: some Collection<UInt8>) {
    let written = Array(bytes)
    guard let first = written.first else {
      self = .whole
      return
    }
    guard first == Ascii.slash else { return nil }
    var tokens: [Token] = []
    for part in written.dropFirst().split(
      separator: Ascii.slash,
      omittingEmptySubsequences: false
    ) {
      guard let name = JSONPointer.unescape(part) else { return nil }
      tokens.append(Token(name: name, index: JSONPointer.index(name)))
    }
    self.bytes = written
    self.tokens = tokens
  }

  private init() {
    bytes = []
    tokens = []
  }

  /// Appends a reference token to the text of a pointer, escaping `~` and `/`.
  ///
  /// - Parameters:
  ///   - name: The member name, not escaped.
  ///   - pointer: The text to append to.
  public static func append(_ name: some Sequence<UInt8>, to pointer: inout [UInt8]) {
    pointer.append(Ascii.slash)
    for byte in name {
      switch byte {
      case Ascii.tilde: pointer.append(contentsOf: [Ascii.tilde, Ascii.zero])
      case Ascii.slash: pointer.append(contentsOf: [Ascii.tilde, Ascii.zero &+ 1])
      default: pointer.append(byte)
      }
    }
  }

  private static func unescape(_ token: ArraySlice<UInt8>) -> [UInt8]? {
    guard token.contains(Ascii.tilde) else { return Array(token) }
    var name: [UInt8] = []
    var rest = token
    while let byte = rest.popFirst() {
      guard byte == Ascii.tilde else {
        name.append(byte)
        continue
      }
      switch rest.popFirst() {
      case Ascii.zero: name.append(Ascii.tilde)
      case Ascii.zero &+ 1: name.append(Ascii.slash)
      default: return nil
      }
    }
    return name
  }

  /// Returns the value of 1 to 18 digits without a leading zero; `nil` for any other token.
  private static func index(_ name: [UInt8]) -> Int? {
    guard 1...18 ~= name.count, name.count == 1 || name[0] != Ascii.zero else { return nil }
    var value = 0
    for byte in name {
      guard Ascii.isDigit(byte) else { return nil }
      value = value &* 10 &+ Int(byte &- Ascii.zero)
    }
    return value
  }
}
