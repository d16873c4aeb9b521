extension Scan {
  @usableFromInline static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @usableFromInline static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// The eight bytes from `i` on, the first one lowest; `nil` where there are fewer.
  @inlinable
  @inline(__always)
  static func word(_ text: Span<UInt8>, _ i: Int) -> UInt64? {
    guard i >= 0, i <= text.count &- 8 else { return nil }
    return unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt64.self)
  }

  /// The eight bytes from `i` on, the first one lowest; zeros stand for those behind the end.
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

  /// The four bytes from `i` on, the first one lowest; `nil` where there are fewer.
  @inlinable
  @inline(__always)
  static func half(_ text: Span<UInt8>, _ i: Int) -> UInt32? {
    guard i >= 0, i <= text.count &- 4 else { return nil }
    return unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt32.self)
  }

  /// Whether any byte of a word cannot stand in a string as it is.
  @inlinable
  @inline(__always)
  static func mustBeEscaped(anyOf word: UInt64) -> Bool {
    // What is asked first takes half as long, and settles it where all is ASCII, as it mostly is.
    stops(in: word) != 0 && escapeBits(word) & highBits != 0
  }

  /// A word whose lowest set high bit is that of the first byte that must be escaped; the other
  /// bits of each byte mean nothing.
  @inlinable
  @inline(__always)
  static func escapeBits(_ word: UInt64) -> UInt64 {
    let quotes = word ^ (ones &* UInt64(Ascii.quote))
    let backslashes = word ^ (ones &* UInt64(Ascii.backslash))
    return (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (word &- ones &* UInt64(Ascii.space)) & ~word
  }

  /// A word in which the high bit of the lowest byte that is `byte` is the lowest bit that is set,
  /// 0 where there is none.
  ///
  /// Subtracting may borrow into higher bytes, so that only the lowest one tells the truth.
  @inlinable
  @inline(__always)
  static func stops(at byte: UInt8, in word: UInt64) -> UInt64 {
    let others = word ^ (ones &* UInt64(byte))
    return (others &- ones) & ~others & highBits
  }

  /// A word in which the high bit of the lowest byte that is a quote, a backslash, a control byte
  /// or one of a multi-byte scalar is the lowest bit that is set, 0 where there is none.
  @inlinable
  @inline(__always)
  static func stops(in word: UInt64) -> UInt64 {
    // With its second bit turned over, a quote is 0x20, and the control bytes stay below it.
    let controls = (word ^ (ones &* 2)) &- ones &* UInt64(Ascii.space &+ 1)
    let backslashes = (word ^ (ones &* UInt64(Ascii.backslash))) &- ones
    return (controls | backslashes | word) & highBits
  }
}
