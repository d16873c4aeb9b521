/// Passes members of an object that are written as programs write them: scalars under plain names,
/// with no white space but a single blank behind colons and commas.
///
/// What follows a token is looked at eight bytes at a time, so that a colon and the byte behind it
/// cost one look. It says no more than that something else is there; ``ValueScan`` finds out what.
enum PlainMembers {
  /// Passes members up to the end of the object.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - start: Where the quote stands that opens a name.
  /// - Returns: The offset behind the closing brace; `nil` where a member needs care.
  @inline(__always)
  static func end(_ text: Span<UInt8>, from start: Int) -> Int? {
    var i = start
    while let value = valueStart(text, i), let end = scalarEnd(text, value) {
      let behind = Scan.paddedWord(text, end)
      guard UInt8(truncatingIfNeeded: behind) == Ascii.comma else {
        return UInt8(truncatingIfNeeded: behind) == Ascii.closeBrace ? end &+ 1 : nil
      }
      if UInt8(truncatingIfNeeded: behind &>> 8) == Ascii.quote {
        i = end &+ 1
      } else {
        guard UInt16(truncatingIfNeeded: behind &>> 8) == blankAndQuote else { return nil }
        i = end &+ 2
      }
    }
    return nil
  }

  /// Where the value of the member begins whose name is in quotes from `start` on.
  @inline(__always)
  private static func valueStart(_ text: Span<UInt8>, _ start: Int) -> Int? {
    let end = Scan.plain(text, start &+ 1)
    let behind = Scan.paddedWord(text, end)
    guard UInt16(truncatingIfNeeded: behind) == quoteAndColon else { return nil }
    return UInt8(truncatingIfNeeded: behind &>> 16) == Ascii.space ? end &+ 3 : end &+ 2
  }

  /// Where a string, a short natural number or a literal ends; a number only if what stands there
  /// ends it.
  @inline(__always)
  private static func scalarEnd(_ text: Span<UInt8>, _ start: Int) -> Int? {
    let word = Scan.paddedWord(text, start)
    let first = UInt8(truncatingIfNeeded: word)
    if first == Ascii.quote {
      let end = Scan.plain(text, start &+ 1)
      if Scan.byte(text, end) == Ascii.quote { return end &+ 1 }
      return Scan.stringEnd(text, start, from: end)
    }
    if Ascii.isDigit(first) {
      let count = Scan.digitCount(word)
      return first != Ascii.zero || count == 1 ? start &+ count : nil
    }
    switch UInt32(truncatingIfNeeded: word) {
    case UInt32(truncatingIfNeeded: Ascii.trueWord), UInt32(truncatingIfNeeded: Ascii.nullWord):
      return start &+ 4
    case UInt32(truncatingIfNeeded: Ascii.falseWord):
      return UInt8(truncatingIfNeeded: word &>> 32) == Ascii.e ? start &+ 5 : nil
    default:
      return nil
    }
  }

  private static var quoteAndColon: UInt16 {
    UInt16(Ascii.colon) &<< 8 | UInt16(Ascii.quote)
  }

  private static var blankAndQuote: UInt16 {
    UInt16(Ascii.quote) &<< 8 | UInt16(Ascii.space)
  }
}
