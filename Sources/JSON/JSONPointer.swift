/// A JSON Pointer (RFC 6901), parsed once and evaluated on raw JSON text.
///
/// It takes about as much memory as its text, because clients choose its length.
public struct JSONPointer: Equatable, Hashable, Sendable {
  /// A reference token: the name of a member or the index of an element.
  struct Token {
    /// The range of the token in the pointer's names.
    let range: Range<Int>
  }

  /// The reference tokens with their escapes decoded, each behind its length in three bytes.
  private let names: [UInt8]

  /// The pointer to the whole value: the empty text.
  public static let whole = JSONPointer()

  /// Parses a pointer.
  ///
  /// The text must be empty or begin with `/`, and each `~` must be followed by `0` or `1` (RFC
  /// 6901 section 3). Otherwise the result is `nil`, as for a token of 16 MiB or more.
  ///
  /// - Parameter bytes: The text, already decoded from a JSON string.
  public init?(_ bytes: some Collection<UInt8>) {
    let written = Array(bytes)
    guard let first = written.first else {
      self = .whole
      return
    }
    guard first == Ascii.slash else { return nil }
    var names: [UInt8] = []
    names.reserveCapacity(written.count + 2 * written.count { $0 == Ascii.slash })
    for part in written.dropFirst().split(
      separator: Ascii.slash,
      omittingEmptySubsequences: false
    ) {
      let start = names.count
      names.append(contentsOf: [0, 0, 0])
      guard Self.appendUnescaped(part, to: &names) else { return nil }
      let count = names.count - start - 3
      guard count < 1 << 24 else { return nil }
      for place in 0..<3 { names[start + place] = UInt8(truncatingIfNeeded: count >> (8 * place)) }
    }
    self.names = names
  }

  private init() { names = [] }

  /// The memory of the pointer in bytes.
  public var byteCount: Int { names.capacity + 32 }

  /// The pointer as text.
  ///
  /// - Complexity: O(length of the text).
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var token = first
    while let next = token {
      Self.append(name(of: next), to: &bytes)
      token = self.token(after: next)
    }
    return bytes
  }

  // MARK: Tokens

  /// The first token; `nil` for the whole value.
  var first: Token? { token(at: 0) }

  /// Returns the token after another one; `nil` if that is the last.
  func token(after token: Token) -> Token? { self.token(at: token.range.upperBound) }

  private func token(at place: Int) -> Token? {
    guard place < names.count else { return nil }
    let start = place + 3
    let count = Int(names[place]) | Int(names[place + 1]) << 8 | Int(names[place + 2]) << 16
    return Token(range: start..<(start + count))
  }

  /// Returns the name that a token stands for, without escapes.
  func name(of token: Token) -> ArraySlice<UInt8> { names[token.range] }

  /// Returns the array index that a token stands for, or `nil` if it is none (RFC 6901 section 4).
  ///
  /// It is the value of 1 to 18 digits without a leading zero.
  func index(of token: Token) -> Int? {
    let name = name(of: token)
    guard 1...18 ~= name.count, name.count == 1 || name.first != Ascii.zero else { return nil }
    var value = 0
    for byte in name {
      guard Ascii.isDigit(byte) else { return nil }
      value = value &* 10 &+ Int(byte &- Ascii.zero)
    }
    return value
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

  /// Appends a token without its escapes, and returns false if one of them is not valid.
  private static func appendUnescaped(_ token: ArraySlice<UInt8>, to names: inout [UInt8]) -> Bool {
    guard token.contains(Ascii.tilde) else {
      names.append(contentsOf: token)
      return true
    }
    var rest = token
    while let byte = rest.popFirst() {
      guard byte == Ascii.tilde else {
        names.append(byte)
        continue
      }
      switch rest.popFirst() {
      case Ascii.zero: names.append(Ascii.tilde)
      case Ascii.zero &+ 1: names.append(Ascii.slash)
      default: return false
      }
    }
    return true
  }
}
