extension JSONWriter {
  /// Writes an integer.
  public mutating func integer(_ value: Int) {
    separate()
    if value < 0 {
      append(Ascii.minus)
    }
    appendDigits(value.magnitude)
  }

  /// Writes an integer.
  public mutating func integer(_ value: UInt64) {
    separate()
    appendDigits(UInt(value))
  }

  /// Writes an integer, or `null` when there is none.
  public mutating func integer(orNull value: Int?) {
    if let value {
      integer(value)
    } else {
      null()
    }
  }

  /// Writes a string.
  ///
  /// - Parameter utf8: Valid UTF-8, not escaped.
  public mutating func string(_ utf8: ArraySlice<UInt8>) {
    separate()
    append(Ascii.quote)
    appendEscaped(utf8)
    append(Ascii.quote)
  }

  /// Writes a string.
  public mutating func string(_ value: String) {
    string(Array(value.utf8)[...])
  }

  /// Writes a string that needs no escapes.
  public mutating func string(_ constant: StaticString) {
    separate()
    append(Ascii.quote)
    append(constant)
    append(Ascii.quote)
  }

  /// Appends the digits of a number, found from the lowest on, without String.
  private mutating func appendDigits(_ value: UInt) {
    guard value >= 10 else {
      append(Ascii.zero &+ UInt8(value))
      return
    }
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = 20
    var rest = value
    while rest > 0 {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
      first &-= 1
      digits[first] = Ascii.zero &+ UInt8(remainder)
      rest = quotient
    }
    for i in first..<20 { append(digits[i]) }
  }

  /// Copies runs that need no escape whole, and escapes what lies between them.
  private mutating func appendEscaped(_ utf8: ArraySlice<UInt8>) {
    let text = utf8.span
    let base = utf8.startIndex
    var start = 0
    while true {
      let stop = Scan.unescaped(text, start)
      append(contentsOf: utf8[(base &+ start)..<(base &+ stop)])
      guard stop < text.count else { return }
      appendEscape(of: text[stop])
      start = stop &+ 1
    }
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(Ascii.backslash)
    switch byte {
    case Ascii.quote, Ascii.backslash: append(byte)
    case 0x08: append(Ascii.b)
    case 0x0C: append(Ascii.f)
    case Ascii.newline: append(Ascii.n)
    case Ascii.carriageReturn: append(Ascii.r)
    case Ascii.tab: append(Ascii.t)
    default:
      append("u00")
      append(byte < 0x10 ? Ascii.zero : Ascii.zero &+ 1)
      let low = byte & 0x0F
      append(low < 10 ? Ascii.zero &+ low : 0x57 &+ low)
    }
  }
}
