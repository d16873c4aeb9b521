/// Looks for control characters, eight bytes at a time.
enum ControlScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The first offset of a control character other than HTAB, `end` if there is none.
  ///
  /// - Precondition: `start` and `end` are offsets in the bytes.
  static func first(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= bytes.count, "nothing is read behind the bytes")
    var place = start
    while place <= end &- 8 {
      let word = unsafe bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: place,
        as: UInt64.self
      )
      let found = controls(in: UInt64(littleEndian: word))
      place &+= found.trailingZeroBitCount / 8
      if found == 0 { continue }
      if bytes[place] != .tab { return place }
      place &+= 1
    }
    while place < end, !bytes[place].isForbiddenControl { place &+= 1 }
    return place
  }

  /// A word whose lowest set bit is the high bit of the first byte that is a control character, 0
  /// if there is none.
  ///
  /// Subtracting may borrow into higher bytes, so that only the lowest one tells the truth.
  private static func controls(in word: UInt64) -> UInt64 {
    let deletes = word ^ ones &* 0x7F
    let low = (word &- ones &* UInt64(UInt8.space)) & ~word
    return (low | (deletes &- ones) & ~deletes) & highBits
  }
}
