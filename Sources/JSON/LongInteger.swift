/// A non-zero integer of any size, in decimal digits, for exponents that do not fit into `Int`.
struct LongInteger: Sendable, Equatable {
  let isNegative: Bool
  /// The absolute value as ASCII digits, without leading zeros.
  private(set) var digits: [UInt8]

  /// Returns the sum of a large and a small number.
  ///
  /// - Precondition: `large` has more digits than `small`, so that the sum keeps its sign.
  /// - Complexity: O(count of digits).
  static func + (large: LongInteger, small: Int) -> LongInteger {
    var sum = large
    var carry = large.isNegative ? -small : small
    var place = sum.digits.endIndex
    while carry != 0, place > 0 {
      place &-= 1
      let digit = Int(sum.digits[place] &- Ascii.zero) &+ carry
      let below = digit % 10 < 0 ? digit % 10 &+ 10 : digit % 10
      sum.digits[place] = Ascii.zero &+ UInt8(below)
      carry = (digit &- below) / 10
    }
    if carry != 0 { sum.digits.insert(contentsOf: String(carry).utf8, at: 0) }
    sum.digits.removeFirst(sum.digits.prefix { $0 == Ascii.zero }.count)
    return sum
  }

  /// Returns -1 if `self` is less, 1 if it is greater, 0 if both are equal.
  func compared(to other: LongInteger) -> Int {
    guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
    let (less, greater) = isNegative ? (1, -1) : (-1, 1)
    guard digits.count == other.digits.count else {
      return digits.count < other.digits.count ? less : greater
    }
    if digits == other.digits { return 0 }
    return digits.lexicographicallyPrecedes(other.digits) ? less : greater
  }

  /// Appends a key whose byte order is the numeric order; no key is a prefix of another.
  func appendOrdered(to bytes: inout [UInt8]) {
    let start = bytes.count
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: digits.count >> shift))
    }
    bytes.append(contentsOf: digits)
    guard isNegative else { return }
    for place in start..<bytes.count { bytes[place] = ~bytes[place] }
  }
}
