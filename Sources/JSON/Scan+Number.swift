extension Scan {
  /// Passes a number (RFC 8259 section 6).
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

  /// Passes one or more decimal digits.
  private static func digits(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    var i = start
    while i < text.count, Ascii.isDigit(text[i]) { i &+= 1 }
    guard i > start else { throw JSONError(.invalidNumber, at: i) }
    return i
  }
}
