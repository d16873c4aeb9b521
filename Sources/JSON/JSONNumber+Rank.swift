extension JSONNumber {
  /// Orders numbers as far as 60 bits can: of two with different ranks the one with the lesser rank
  /// is less; those with equal ranks may be equal or not.
  ///
  /// - Complexity: O(1).
  public var rank: UInt64 {
    let middle: UInt64 = 1 << 59
    guard sign != 0 else { return middle }
    let bound = 1 << 17
    let scale = UInt64(min(max(magnitude, -bound), bound - 1) + bound)
    // 18 bits of magnitude and 12 digits in 40.
    var leading: UInt64 = 0
    var place = digits.lowerBound
    for _ in 0..<12 {
      let digit = nextDigit(&place) ?? Ascii.zero
      leading = leading &* 10 &+ UInt64(digit &- Ascii.zero)
    }
    // A number beyond the bounds of magnitude ranks by its sign alone.
    if magnitude < -bound { leading = 0 }
    if magnitude >= bound { leading = (1 << 40) - 1 }
    let size = scale << 40 | leading
    return sign < 0 ? middle - 1 - size : middle + 1 + size
  }
}
