extension Scan {
  /// Returns the first offset from `start` on of a byte that needs attention in a string.
  ///
  /// Such bytes are quotes, backslashes, control bytes and bytes of multi-byte scalars.
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

  /// Does the same as ``plain`` byte by byte, for the last few bytes.
  @usableFromInline
  @inline(never)
  static func plainTail(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while i < text.count, text[i] < 0x80, !mustBeEscaped(text[i]) { i &+= 1 }
    return i
  }

  /// Returns the first offset from `start` on of a byte that must be escaped in a string.
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

  /// Returns the first offset from `start` on of a byte, or the text's count if there is none.
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
