/// A fast path over arrays and objects in compact form, with at most one space behind a colon or
/// comma.
///
/// It looks at eight bytes at a time, so that a colon and the next byte cost one load. If the text
/// has any other form, it returns `nil`, and ``ValueScan`` reads the value again with full checks.
enum PlainValue {
  /// The maximum number of open arrays and objects: one bit each, below a bit that ends the list.
  private static var maxDepth: Int { 63 }

  /// Skips and validates an array or an object.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - start: The offset of its opening bracket or brace.
  ///   - levels: The maximum number of open arrays and objects, this one included.
  /// - Returns: The offset behind the value, or `nil` if it needs the full check.
  @inline(__always)
  static func end(_ text: Span<UInt8>, from start: Int, levels: Int) -> Int? {
    let spare = maxDepth &- min(levels, maxDepth)
    // A list of bits behind a leading 1. The lowest is the innermost; it is set for an object.
    var open: UInt64 = 1
    var i = start
    while true {
      var word = Scan.paddedWord(text, i)
      if UInt8(truncatingIfNeeded: word) == Ascii.space {
        i &+= 1
        word = Scan.paddedWord(text, i)
      }
      let first = UInt8(truncatingIfNeeded: word)
      var end: Int
      if first | 0x20 == Ascii.openBrace {
        guard open.leadingZeroBitCount > spare else { return nil }
        let isObject = first == Ascii.openBrace
        let second = UInt8(truncatingIfNeeded: word &>> 8)
        guard second == (isObject ? Ascii.closeBrace : Ascii.closeBracket) else {
          open = open &<< 1 | (isObject ? 1 : 0)
          guard let inside = isObject ? valueStart(text, i &+ 1) : i &+ 1 else { return nil }
          i = inside
          continue
        }
        end = i &+ 2
      } else {
        guard let behind = scalarEnd(text, i, word) else { return nil }
        end = behind
      }
      guard let next = next(text, &end, &open) else { return open == 1 ? end : nil }
      i = next
    }
  }

  /// Returns the offset of the next value in the open containers, closing those that end.
  ///
  /// - Returns: The offset, or `nil` with two meanings. If nothing is open, `end` is the offset
  ///   behind the value; otherwise the text needs the full check.
  @inline(__always)
  private static func next(_ text: Span<UInt8>, _ end: inout Int, _ open: inout UInt64) -> Int? {
    while open != 1 {
      let isObject = open & 1 == 1
      let behind = Scan.paddedWord(text, end)
      let byte = UInt8(truncatingIfNeeded: behind)
      if byte == Ascii.comma {
        guard isObject else { return end &+ 1 }
        if UInt8(truncatingIfNeeded: behind &>> 8) == Ascii.quote {
          return valueStart(text, end &+ 1)
        }
        guard UInt16(truncatingIfNeeded: behind &>> 8) == blankAndQuote else { return nil }
        return valueStart(text, end &+ 2)
      }
      guard byte == (isObject ? Ascii.closeBrace : Ascii.closeBracket) else { return nil }
      end &+= 1
      open &>>= 1
    }
    return nil
  }

  /// Returns the offset behind the colon of the member whose opening quote is at `start`.
  @inline(__always)
  private static func valueStart(_ text: Span<UInt8>, _ start: Int) -> Int? {
    guard Scan.byte(text, start) == Ascii.quote else { return nil }
    let end = Scan.plain(text, start &+ 1)
    guard Scan.half(text, end).map({ UInt16(truncatingIfNeeded: $0) }) == quoteAndColon else {
      return nil
    }
    return end &+ 2
  }

  /// Returns the offset behind a string, number or literal, or `nil` if it needs the full check.
  @inline(__always)
  private static func scalarEnd(_ text: Span<UInt8>, _ start: Int, _ word: UInt64) -> Int? {
    let first = UInt8(truncatingIfNeeded: word)
    if first == Ascii.quote {
      let end = Scan.plain(text, start &+ 1)
      if Scan.byte(text, end) == Ascii.quote { return end &+ 1 }
      return Scan.stringEnd(text, start, from: end)
    }
    if Ascii.isDigit(first) {
      let count = Scan.digitCount(word)
      guard let next = Scan.byte(text, start &+ count), Scan.isEnd(next) else {
        return Scan.longNumberEnd(text, start)
      }
      return first != Ascii.zero || count == 1 ? start &+ count : nil
    }
    switch UInt32(truncatingIfNeeded: word) {
    case UInt32(truncatingIfNeeded: Ascii.trueWord), UInt32(truncatingIfNeeded: Ascii.nullWord):
      return start &+ 4
    case UInt32(truncatingIfNeeded: Ascii.falseWord):
      return UInt8(truncatingIfNeeded: word &>> 32) == Ascii.e ? start &+ 5 : nil
    default:
      return first == Ascii.minus ? Scan.longNumberEnd(text, start) : nil
    }
  }

  private static var quoteAndColon: UInt16 {
    UInt16(Ascii.colon) &<< 8 | UInt16(Ascii.quote)
  }

  private static var blankAndQuote: UInt16 {
    UInt16(Ascii.quote) &<< 8 | UInt16(Ascii.space)
  }
}
