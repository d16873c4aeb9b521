extension MutableSpan where Element == UInt8 {
  /// Copies text unless something in it must be escaped; returns whether nothing must.
  ///
  /// Bytes are looked at and copied eight at a time, the last ones together with some before them.
  @inlinable @inline(__always)
  mutating func put(plain text: Span<UInt8>, at i: Int) -> Bool {
    let end = text.count
    guard let last = Scan.word(text, end &- 8) else { return put(short: text, at: i) }
    var place = 0
    while place < end &- 8, let word = Scan.word(text, place) {
      guard !Scan.mustBeEscaped(anyOf: word) else { return false }
      put(word, at: i &+ place)
      place &+= 8
    }
    put(last, at: i &+ end &- 8)
    return !Scan.mustBeEscaped(anyOf: last)
  }

  /// The same for less than eight bytes.
  @inlinable @inline(__always)
  mutating func put(short text: Span<UInt8>, at i: Int) -> Bool {
    if let first = Scan.half(text, 0), let last = Scan.half(text, text.count &- 4) {
      put(first, at: i)
      put(last, at: i &+ text.count &- 4)
      return !Scan.mustBeEscaped(anyOf: UInt64(first) | UInt64(last) &<< 32)
    }
    for place in text.indices {
      guard !Scan.mustBeEscaped(text[place]) else { return false }
      self[i &+ place] = text[place]
    }
    return true
  }

  /// Puts the bytes of a word, the lowest first.
  @inlinable @inline(__always)
  mutating func put<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word, at i: Int) {
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: word, toByteOffset: i, as: Word.self)
  }
}
