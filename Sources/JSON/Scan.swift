/// The tokens of JSON, scanned in place.
///
/// Each function takes the text and the offset of a token's first byte and returns the offset
/// behind the token. None of them allocates.
enum Scan {
  /// The first offset at or after `start` that is not white space (RFC 8259 section 2).
  @inline(__always)
  static func space(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while i < text.count {
      let byte = text[i]
      guard byte <= Ascii.space else { break }
      guard
        byte == Ascii.space || byte == Ascii.newline || byte == Ascii.tab
          || byte == Ascii.carriageReturn
      else { break }
      i &+= 1
    }
    return i
  }

  /// Passes one expected byte, such as a colon, that may have white space before it.
  @inline(__always)
  static func punctuation(
    _ expected: UInt8,
    _ text: Span<UInt8>,
    _ start: Int
  ) throws(JSONError) -> Int {
    let i = space(text, start)
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    guard text[i] == expected else { throw JSONError(.unexpectedByte, at: i) }
    return i &+ 1
  }

  /// Passes a string, a number or a literal; arrays and objects are no tokens.
  static func scalar(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    guard start < text.count else { throw JSONError(.unexpectedEnd, at: start) }
    switch text[start] {
    case Ascii.quote: return try string(text, start).range.upperBound &+ 1
    case Ascii.minus, Ascii.zero...Ascii.nine: return try number(text, start)
    case Ascii.t: return try literal(trueWord, text, start)
    case Ascii.f: return try literal(falseWord, text, start)
    case Ascii.n: return try literal(nullWord, text, start)
    default: throw JSONError(.unexpectedByte, at: start)
    }
  }

  /// Passes `true`, `false` or `null`.
  private static func literal(
    _ word: [UInt8],
    _ text: Span<UInt8>,
    _ start: Int
  ) throws(JSONError) -> Int {
    for k in word.indices {
      let i = start &+ k
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
      guard text[i] == word[k] else { throw JSONError(.unexpectedByte, at: i) }
    }
    return start &+ word.count
  }

  private static let trueWord = Array("true".utf8)
  private static let falseWord = Array("false".utf8)
  private static let nullWord = Array("null".utf8)
}
