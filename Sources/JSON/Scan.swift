/// A scanner of JSON tokens in place.
///
/// Most functions take the text and the offset of a token's first byte, and return the offset
/// behind the token. None of them allocates.
@usableFromInline
enum Scan {
  /// Returns the first offset from `start` on that is not white space (RFC 8259 section 2).
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

  /// Returns the byte at an offset, or `nil` outside of the text.
  @inlinable
  @inline(__always)
  static func byte(_ text: Span<UInt8>, _ i: Int) -> UInt8? {
    // A single unsigned comparison checks both bounds.
    UInt(bitPattern: i) < UInt(bitPattern: text.count) ? text[i] : nil
  }

  /// Does the same as ``space``, not inlined, for the case that there is white space.
  @usableFromInline
  @inline(never)
  static func spaceEnd(_ text: Span<UInt8>, _ start: Int) -> Int { space(text, start) }

  /// Skips white space and then an expected byte; returns `nil` if another byte comes.
  @usableFromInline
  @inline(never)
  static func spaceAndByte(_ text: Span<UInt8>, _ start: Int, _ expected: UInt8) -> Int? {
    let i = space(text, start)
    return byte(text, i) == expected ? i &+ 1 : nil
  }

  /// Skips white space and then an expected byte, such as a colon.
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

  /// Skips and validates a string, a number or a literal.
  @inline(__always)
  static func scalar(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    guard start < text.count else { throw JSONError(.unexpectedEnd, at: start) }
    switch text[start] {
    case Ascii.quote: return try stringEnd(text, start)
    case Ascii.minus, Ascii.zero...Ascii.nine: return try numberEnd(text, start)
    default: return try literal(text, start)
    }
  }

  /// Skips `true`, `false` or `null`.
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

  /// Skips a literal, given as a word with its first byte lowest.
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

/// Finds the ends of lines in newline-delimited JSON, in which no value contains a line feed.
public enum LineScan {
  /// Returns the offset of the first line feed at or after `start`, or `nil` if there is none.
  ///
  /// - Complexity: O(length of the line), eight bytes at a time.
  public static func end(of text: Span<UInt8>, from start: Int) -> Int? {
    let offset = Scan.first(Ascii.newline, in: text, from: start)
    return offset < text.count ? offset : nil
  }
}
