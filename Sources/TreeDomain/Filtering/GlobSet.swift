/// A set of characters in a glob, such as `[a-z]` or `[!0-9]`.
///
/// ASCII characters are looked up in a bitmap, others by binary search. So a test costs the same
/// few steps for a set of three ranges as it does for one of thousands.
struct GlobSet: Equatable, Sendable {
  /// A bit for each ASCII character that is a member, negation included.
  private var ascii = [UInt64](repeating: 0, count: 2)
  /// The ranges as written, sorted and merged, so that no two overlap.
  private var ranges: [ClosedRange<Unicode.Scalar>] = []
  private let isNegated: Bool

  /// The memory of the bitmap and the ranges in bytes.
  var byteCount: Int {
    96 + ascii.count * MemoryLayout<UInt64>.stride
      + ranges.count * MemoryLayout<ClosedRange<Unicode.Scalar>>.stride
  }

  /// Creates a set from its ranges, which may overlap and come in any order.
  ///
  /// - Complexity: O(*r* log *r*) for *r* ranges.
  init(_ ranges: [ClosedRange<Unicode.Scalar>], isNegated: Bool) {
    self.isNegated = isNegated
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        let end = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound...end
      } else {
        self.ranges.append(range)
      }
    }
    // The copy has no spare capacity.
    self.ranges = self.ranges.map(\.self)
    for value in UInt8(0)..<128 where isInRange(Unicode.Scalar(value)) != isNegated {
      ascii[Int(value / 64)] |= 1 << UInt64(value % 64)
    }
  }

  /// Returns true if a character is a member.
  ///
  /// - Complexity: O(1) for ASCII, O(log *r*) for other characters.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return isInRange(scalar) != isNegated }
    return ascii[Int(scalar.value / 64)] >> UInt64(scalar.value % 64) & 1 == 1
  }

  private func isInRange(_ scalar: Unicode.Scalar) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= scalar
  }
}
