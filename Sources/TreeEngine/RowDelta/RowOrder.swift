/// The sort order of rows.
///
/// Many rows are sorted by radix sort, the least significant digit first. A comparison sort would
/// mispredict about half of its branches.
///
/// Source: Knuth, *The Art of Computer Programming*, volume 3, section 5.2.5.
enum RowOrder {
  /// The least number of rows for which radix sort is faster.
  private static var fewest: Int { 64 }
  private static var digitBits: Int { 8 }

  /// Returns the indexes of rows in sorted order.
  ///
  /// - Parameter rows: The rows. None is negative.
  /// - Returns: The indexes in the list, stable for equal rows.
  /// - Complexity: O(rows · digits), or O(rows · log rows) for few rows.
  static func places(of rows: [Int32]) -> [Int] {
    // Row and index in one number are sorted faster than two numbers.
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

  /// Sorts keys by one digit, stably.
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
