extension Scan {
  /// Skips a number.
  ///
  /// An integer of up to eight digits takes one load.
  @inline(__always)
  static func numberEnd(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    if let word = word(text, start), text[start] > Ascii.zero {
      let end = start &+ digitCount(word)
      if end < text.count, isEnd(text[end]) { return end }
    }
    return try number(text, start)
  }

  /// Skips a number of any form; returns `nil` if it is invalid.
  @inline(never)
  static func longNumberEnd(_ text: Span<UInt8>, _ start: Int) -> Int? {
    do throws(JSONError) { return try number(text, start) } catch { return nil }
  }

  /// Returns true if a byte can follow a number.
  ///
  /// It is also true for control characters, which the caller refuses at the next token.
  @inlinable
  @inline(__always)
  static func isEnd(_ byte: UInt8) -> Bool {
    byte == Ascii.comma || byte | 0x20 == Ascii.closeBrace || byte <= Ascii.space
  }

  /// Returns the number of consecutive digits at the low end of a word.
  @inlinable
  @inline(__always)
  static func digitCount(_ word: UInt64) -> Int {
    let values = word ^ (ones &* UInt64(Ascii.zero))
    // Digits are below ten now. This sum sets the high bit of every other byte.
    let others = ((values & ~highBits) &+ ones &* 0x76 | values) & highBits
    return others.trailingZeroBitCount / 8
  }

  /// Skips a number (RFC 8259 section 6).
  ///
  /// - Throws: ``JSONError/Reason/invalidNumber`` at the first byte that breaks the grammar.
  static func number(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    var i = start
    if text[i] == Ascii.minus { i &+= 1 }
    let integer = i
    i = try digits(text, i)
    if text[integer] == Ascii.zero, i > integer &+ 1 {
      throw JSONError(.invalidNumber, at: integer &+ 1)
    }
    if i < text.count, text[i] == Ascii.point {
      i = try digits(text, i &+ 1)
    }
    if i < text.count, text[i] | 0x20 == Ascii.e {
      i &+= 1
      if i < text.count, text[i] == Ascii.plus || text[i] == Ascii.minus { i &+= 1 }
      i = try digits(text, i)
    }
    return i
  }

  /// Skips one or more decimal digits.
  private static func digits(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    var i = start
    while i < text.count, Ascii.isDigit(text[i]) { i &+= 1 }
    guard i > start else { throw JSONError(.invalidNumber, at: i) }
    return i
  }
}
