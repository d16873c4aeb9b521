/// The tokens of JSON, scanned in place.
///
/// Each function takes the text and the offset of a token's first byte and returns the offset
/// behind the token. None of them allocates.
@usableFromInline
enum Scan {
  /// The first offset at or after `start` that is not white space (RFC 8259 section 2).
  @inlinable
  @inline(__always)
  static func space(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while let byte = byte(text, i), byte <= Ascii.space, isSpace(byte) { i &+= 1 }
    return i
  }

  @inlinable
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == Ascii.space || byte == Ascii.newline || byte == Ascii.tab
      || byte == Ascii.carriageReturn
  }

  /// The byte at an offset; `nil` behind the end.
  @inlinable
  @inline(__always)
  static func byte(_ text: Span<UInt8>, _ i: Int) -> UInt8? {
    // One comparison says that it is neither negative nor too large.
    UInt(bitPattern: i) < UInt(bitPattern: text.count) ? text[i] : nil
  }

  /// The same as ``space``, for where there is some.
  @usableFromInline
  @inline(never)
  static func spaceEnd(_ text: Span<UInt8>, _ start: Int) -> Int { space(text, start) }

  /// Passes white space and a byte behind it; `nil` where another byte stands there.
  @usableFromInline
  @inline(never)
  static func spaceAndByte(_ text: Span<UInt8>, _ start: Int, _ expected: UInt8) -> Int? {
    let i = space(text, start)
    return byte(text, i) == expected ? i &+ 1 : nil
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
  @inline(__always)
  static func scalar(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    guard start < text.count else { throw JSONError(.unexpectedEnd, at: start) }
    switch text[start] {
    case Ascii.quote: return try stringEnd(text, start)
    case Ascii.minus, Ascii.zero...Ascii.nine: return try numberEnd(text, start)
    default: return try literal(text, start)
    }
  }

  /// Passes `true`, `false` or `null`.
  static func literal(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    if let word = half(text, start) {
      if word == UInt32(truncatingIfNeeded: Ascii.nullWord) { return start &+ 4 }
      if word == UInt32(truncatingIfNeeded: Ascii.trueWord) { return start &+ 4 }
    }
    switch text[start] {
    case Ascii.t: return try literal(Ascii.trueWord, text, start)
    case Ascii.f: return try literal(Ascii.falseWord, text, start)
    case Ascii.n: return try literal(Ascii.nullWord, text, start)
    default: throw JSONError(.unexpectedByte, at: start)
    }
  }

  /// Passes a word, given as its bytes with the first one lowest.
  private static func literal(
    _ word: UInt64,
    _ text: Span<UInt8>,
    _ start: Int
  ) throws(JSONError) -> Int {
    var i = start
    var rest = word
    while rest != 0 {
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
      guard text[i] == UInt8(truncatingIfNeeded: rest) else {
        throw JSONError(.unexpectedByte, at: i)
      }
      i &+= 1
      rest &>>= 8
    }
    return i
  }
}
