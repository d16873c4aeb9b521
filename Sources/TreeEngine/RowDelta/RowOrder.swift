/// The order in which rows stand.
///
/// Many are sorted by their digits (radix sort, the last digit first): comparing them, a processor
/// would guess half of the time wrong which one comes first.
///
/// Source: Knuth, *The Art of Computer Programming*, volume 3, section 5.2.5.
enum RowOrder {
  /// With fewer rows it does not pay.
  private static var fewest: Int { 64 }
  private static var digitBits: Int { 8 }

  /// Sorts rows.
  ///
  /// - Parameter rows: The rows, none of them negative.
  /// - Returns: Their places in the list, from the row that stands first to the one that stands
  ///   last; equal ones in the order of the list.
  /// - Complexity: O(rows · digits); O(rows · log rows) for few.
  static func places(of rows: [Int32]) -> [Int] {
    // One number each is sorted faster than two.
    var keys = rows.indices.map { UInt64(rows[$0]) << 32 | UInt64($0) }
    if keys.count < fewest {
      keys.sort()
    } else {
      sort(&keys, digitsOf: rows.max() ?? 0)
    }
    return keys.map { Int($0 & 0xFFFF_FFFF) }
  }

  private static func sort(_ keys: inout [UInt64], digitsOf most: Int32) {
    var other = keys
    for shift in stride(from: 0, to: Int32.bitWidth - most.leadingZeroBitCount, by: digitBits) {
      distribute(keys.span, by: 32 + shift, into: &other)
      swap(&keys, &other)
    }
  }

  /// Puts keys in the order of one digit, equal ones as they stand.
  private static func distribute(
    _ keys: Span<UInt64>,
    by shift: Int,
    into target: inout [UInt64]
  ) {
    var starts = InlineArray<256, Int32>(repeating: 0)
    for place in keys.indices { starts[Int(keys[place] &>> UInt64(shift)) & 0xFF] &+= 1 }
    var start: Int32 = 0
    for digit in starts.indices {
      let count = starts[digit]
      starts[digit] = start
      start &+= count
    }
    var sorted = target.mutableSpan
    for place in keys.indices {
      let digit = Int(keys[place] &>> UInt64(shift)) & 0xFF
      sorted[Int(starts[digit])] = keys[place]
      starts[digit] &+= 1
    }
  }
}
