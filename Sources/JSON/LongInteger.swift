/// A whole number other than zero, of any size, by its decimal digits: what an exponent is that no
/// `Int` holds.
struct LongInteger: Sendable, Equatable {
  let isNegative: Bool
  /// ASCII digits, the first of which is not zero.
  private(set) var digits: [UInt8]

  /// Adds a small number to a large one.
  ///
  /// - Precondition: the large one has more digits than the small one, so that its sign stays.
  /// - Complexity: O(digits).
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

  /// -1 when `self` is less, 1 when it is greater, 0 when both are equal.
  func compared(to other: LongInteger) -> Int {
    guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
    let (less, greater) = isNegative ? (1, -1) : (-1, 1)
    guard digits.count == other.digits.count else {
      return digits.count < other.digits.count ? less : greater
    }
    if digits == other.digits { return 0 }
    return digits.lexicographicallyPrecedes(other.digits) ? less : greater
  }

  /// Appends bytes that stand in the order of such numbers; none of them begin others.
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
