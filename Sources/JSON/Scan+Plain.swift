extension Scan {
  /// The first offset at or after `start` that holds a quote, a backslash, a control byte or
  /// a byte of a multi-byte scalar.
  @inlinable
  @inline(__always)
  static func plain(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while let word = word(text, i) {
      let stops = stops(in: word)
      guard stops == 0 else { return i &+ stops.trailingZeroBitCount / 8 }
      i &+= 8
    }
    return plainTail(text, i)
  }

  /// The same byte by byte, for the last few.
  @usableFromInline
  @inline(never)
  static func plainTail(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while i < text.count, text[i] < 0x80, !mustBeEscaped(text[i]) { i &+= 1 }
    return i
  }

  /// The first offset at or after `start` that holds a byte a string cannot hold unescaped.
  @inline(__always)
  static func unescaped(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while let word = word(text, i) {
      let stops = escapeBits(word) & highBits
      guard stops == 0 else { return i &+ stops.trailingZeroBitCount / 8 }
      i &+= 8
    }
    while i < text.count, !mustBeEscaped(text[i]) { i &+= 1 }
    return i
  }

  /// The first offset at or after `start` that holds a byte; the text's count where none does.
  @inline(__always)
  static func first(_ byte: UInt8, in text: Span<UInt8>, from start: Int) -> Int {
    var i = start
    while let word = word(text, i) {
      let stops = stops(at: byte, in: word)
      guard stops == 0 else { return i &+ stops.trailingZeroBitCount / 8 }
      i &+= 8
    }
    while i < text.count, text[i] != byte { i &+= 1 }
    return i
  }

  @inlinable
  static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < Ascii.space || byte == Ascii.quote || byte == Ascii.backslash
  }
}
