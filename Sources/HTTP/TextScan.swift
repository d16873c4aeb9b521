/// Scans bytes, eight at a time.
enum TextScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns the first offset of a byte in a range, or `end` if there is none.
  ///
  /// - Precondition: `start` is not negative, and `end` is at most the count of the bytes.
  static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= bytes.count, "nothing is read behind the bytes")
    var place = start
    // A word may extend beyond `end`, but not beyond the bytes.
    while place < end, place <= bytes.count &- 8 {
      let found = zeros(in: word(bytes, at: place) ^ ones &* UInt64(byte)) & highBits
      place &+= found.trailingZeroBitCount / 8
      if found != 0 { return min(place, end) }
    }
    while place < end, bytes[place] != byte { place &+= 1 }
    return min(place, end)
  }

  /// Returns the first offset of a control character but HTAB in a range, or `end` if there is
  /// none.
  ///
  /// - Precondition: `start` is not negative, and `end` is at most the count of the bytes.
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

  /// Returns true if two byte strings are equal, compared eight bytes at a time.
  static func areSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    guard left.count >= 8 else {
      for place in left.indices where left[place] != right[place] { return false }
      return true
    }
    // The last word may overlap the one before it.
    let last = left.count &- 8
    var place = 0
    while place < last {
      guard word(left, at: place) == word(right, at: place) else { return false }
      place &+= 8
    }
    return word(left, at: last) == word(right, at: last)
  }

  /// Returns true if eight bytes are frequent characters of a path or query.
  ///
  /// Such characters are letters, digits, `&` to `;`, `=` and `_`.
  ///
  /// - Precondition: There are eight bytes from `place` on.
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

  /// Returns the first offset in a range of a byte that is no letter, digit or `-`.
  ///
  /// Names of fields rarely have others. The last seven bytes are not examined, so the result may
  /// be an offset before such a byte.
  ///
  /// - Precondition: `start` is not negative, and `end` is at most the count of the bytes.
  static func endOfUsualName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= bytes.count, "nothing is read behind the bytes")
    var place = start
    while place <= end &- 8 {
      let word = word(bytes, at: place)
      // A non-ASCII byte gives wrong results only for the bytes after it, and ends the scan itself.
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

  /// Returns a word in which the high bit of each byte in a range is set.
  ///
  /// It is correct up to the first byte that is not ASCII, because no addition carries before that.
  @inline(__always)
  private static func those(of word: UInt64, from first: UInt8, to last: UInt8) -> UInt64 {
    (word &+ ones &* UInt64(0x80 &- first)) & ~(word &+ ones &* UInt64(0x7F &- last))
  }

  /// Returns eight bytes, the first one lowest.
  ///
  /// The caller must check the bounds.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, at place: Int) -> UInt64 {
    let word = unsafe bytes.bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: place,
      as: UInt64.self
    )
    return UInt64(littleEndian: word)
  }

  /// Returns a word whose lowest set bit is the high bit of the first control character.
  ///
  /// HTAB counts as one. The word is 0 if there is none.
  private static func controls(in word: UInt64) -> UInt64 {
    let low = (word &- ones &* UInt64(UInt8.space)) & ~word
    return (low | zeros(in: word ^ ones &* 0x7F)) & highBits
  }

  /// Returns a word whose lowest set high bit marks the first byte that is 0.
  ///
  /// Higher bits are unspecified, because the subtraction may borrow.
  private static func zeros(in word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
