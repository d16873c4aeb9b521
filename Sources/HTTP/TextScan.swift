/// Looks at bytes, eight at a time.
enum TextScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The first offset of a byte, `end` if there is none.
  ///
  /// - Precondition: `start` is not negative, and `end` is not beyond the bytes.
  static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= bytes.count, "nothing is read behind the bytes")
    var place = start
    // A word may go beyond the end, as long as it is not beyond the bytes.
    while place < end, place <= bytes.count &- 8 {
      let found = zeros(in: word(bytes, at: place) ^ ones &* UInt64(byte)) & highBits
      place &+= found.trailingZeroBitCount / 8
      if found != 0 { return min(place, end) }
    }
    while place < end, bytes[place] != byte { place &+= 1 }
    return min(place, end)
  }

  /// The first offset of a control character other than HTAB, `end` if there is none.
  ///
  /// - Precondition: `start` is not negative, and `end` is not beyond the bytes.
  static func firstControl(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= bytes.count, "nothing is read behind the bytes")
    var place = start
    while place <= end &- 8 {
      let found = controls(in: word(bytes, at: place))
      place &+= found.trailingZeroBitCount / 8
      if found == 0 { continue }
      if bytes[place] != .tab { return place }
      place &+= 1
    }
    while place < end, !bytes[place].isForbiddenControl { place &+= 1 }
    return place
  }

  /// Whether two byte strings are equal.
  static func areSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    guard left.count >= 8 else {
      for place in left.indices where left[place] != right[place] { return false }
      return true
    }
    // The last word may begin in the one before it.
    let last = left.count &- 8
    var place = 0
    while place < last {
      guard word(left, at: place) == word(right, at: place) else { return false }
      place &+= 8
    }
    return word(left, at: last) == word(right, at: last)
  }

  /// Whether eight bytes are those that a path or a query mostly has: letters, digits and marks
  /// between `&` and `;`, `=` and `_`.
  ///
  /// - Precondition: They are there.
  static func areUsualInTarget(_ bytes: Span<UInt8>, at place: Int) -> Bool {
    precondition(place >= 0 && place <= bytes.count &- 8, "nothing is read behind the bytes")
    let word = word(bytes, at: place)
    let marks =
      those(of: word, from: UInt8(ascii: "&"), to: UInt8(ascii: ";"))
      | those(of: word, from: UInt8(ascii: "="), to: UInt8(ascii: "="))
      | those(of: word, from: UInt8(ascii: "_"), to: UInt8(ascii: "_"))
    let letters = those(of: word | ones &* 0x20, from: UInt8(ascii: "a"), to: UInt8(ascii: "z"))
    return (letters | marks) & ~word & highBits == highBits
  }

  /// The first offset of a byte that is neither a letter nor a digit nor `-`, which names of fields
  /// seldom have; or one of the last eight before `end`.
  ///
  /// - Precondition: `start` is not negative, and `end` is not beyond the bytes.
  static func endOfUsualName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= bytes.count, "nothing is read behind the bytes")
    var place = start
    while place <= end &- 8 {
      let word = word(bytes, at: place)
      // A byte that is not ASCII spoils those behind it only; it is not usual itself.
      let usual =
        those(of: word | ones &* 0x20, from: UInt8(ascii: "a"), to: UInt8(ascii: "z"))
        | those(of: word, from: UInt8(ascii: "0"), to: UInt8(ascii: "9"))
        | those(of: word, from: UInt8(ascii: "-"), to: UInt8(ascii: "-"))
      let others = ~(usual & ~word) & highBits
      place &+= others.trailingZeroBitCount / 8
      if others != 0 { break }
    }
    return place
  }

  /// A word whose high bits are those of the bytes in a range, if all bytes are ASCII; no sum is
  /// carried on then.
  @inline(__always)
  private static func those(of word: UInt64, from first: UInt8, to last: UInt8) -> UInt64 {
    (word &+ ones &* UInt64(0x80 &- first)) & ~(word &+ ones &* UInt64(0x7F &- last))
  }

  /// Eight bytes, the first one lowest; the caller has made sure that they are there.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, at place: Int) -> UInt64 {
    let word = unsafe bytes.bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: place,
      as: UInt64.self
    )
    return UInt64(littleEndian: word)
  }

  /// A word whose lowest set bit is the high bit of the first byte that is a control character, 0
  /// if there is none.
  private static func controls(in word: UInt64) -> UInt64 {
    let low = (word &- ones &* UInt64(UInt8.space)) & ~word
    return (low | zeros(in: word ^ ones &* 0x7F)) & highBits
  }

  /// A word whose lowest high bit is that of the first byte that is 0.
  ///
  /// Subtracting may borrow into higher bytes, so that only the lowest one tells the truth.
  private static func zeros(in word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
