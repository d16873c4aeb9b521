extension Scan {
  @usableFromInline static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @usableFromInline static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns the eight bytes from `i` on, the first one lowest, or `nil` if there are fewer.
  @inlinable
  @inline(__always)
  static func word(_ text: Span<UInt8>, _ i: Int) -> UInt64? {
    guard i >= 0, i <= text.count &- 8 else { return nil }
    return unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt64.self)
  }

  /// Returns the eight bytes from `i` on, the first one lowest, padded with zeros at the end.
  @inlinable
  @inline(__always)
  static func paddedWord(_ text: Span<UInt8>, _ i: Int) -> UInt64 {
    word(text, i) ?? lastWord(text, i)
  }

  @usableFromInline
  @inline(never)
  static func lastWord(_ text: Span<UInt8>, _ start: Int) -> UInt64 {
    var word: UInt64 = 0
    var i = text.count
    while i > start {
      i &-= 1
      word = word &<< 8 | UInt64(text[i])
    }
    return word
  }

  /// Returns the four bytes from `i` on, the first one lowest, or `nil` if there are fewer.
  @inlinable
  @inline(__always)
  static func half(_ text: Span<UInt8>, _ i: Int) -> UInt32? {
    guard i >= 0, i <= text.count &- 4 else { return nil }
    return unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt32.self)
  }

  /// Returns true if any byte of a word must be escaped in a string.
  @inlinable
  @inline(__always)
  static func mustBeEscaped(anyOf word: UInt64) -> Bool {
    // The first condition takes half as long, and is false for most ASCII text.
    stops(in: word) != 0 && escapeBits(word) & highBits != 0
  }

  /// Returns a word whose lowest set high bit marks the first byte that must be escaped.
  ///
  /// All other bits are unspecified.
  @inlinable
  @inline(__always)
  static func escapeBits(_ word: UInt64) -> UInt64 {
    let quotes = word ^ (ones &* UInt64(Ascii.quote))
    let backslashes = word ^ (ones &* UInt64(Ascii.backslash))
    return (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (word &- ones &* UInt64(Ascii.space)) & ~word
  }

  /// Returns a word whose lowest set bit is the high bit of the first byte equal to `byte`.
  ///
  /// It is 0 if there is none. Higher bits are unspecified, because the subtraction may borrow.
  @inlinable
  @inline(__always)
  static func stops(at byte: UInt8, in word: UInt64) -> UInt64 {
    let others = word ^ (ones &* UInt64(byte))
    return (others &- ones) & ~others & highBits
  }

  /// Returns a word whose lowest set bit is the high bit of the first byte that ends plain text.
  ///
  /// Such bytes are quotes, backslashes, control bytes and bytes of multi-byte scalars. It is 0 if
  /// there is none.
  @inlinable
  @inline(__always)
  static func stops(in word: UInt64) -> UInt64 {
    // Flipping bit 1 turns a quote into 0x20 and leaves the control bytes below it.
    let controls = (word ^ (ones &* 2)) &- ones &* UInt64(Ascii.space &+ 1)
    let backslashes = (word ^ (ones &* UInt64(Ascii.backslash))) &- ones
    return (controls | backslashes | word) & highBits
  }
}
