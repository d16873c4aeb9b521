extension JSONNumber {
  /// Appends bytes that stand in the order of the numbers: those of equal numbers are equal, and
  /// those of different ones differ before either ends.
  ///
  /// A byte for the sign; unless the number is zero, its magnitude, two digits a byte and an end
  /// follow, inverted where it is negative.
  ///
  /// - Complexity: O(count of digits).
  public func appendOrdered(to bytes: inout [UInt8]) {
    bytes.append(UInt8(sign + 1))
    guard sign != 0 else { return }
    let start = bytes.count
    appendMagnitude(to: &bytes)
    appendDigits(to: &bytes)
    guard isNegative else { return }
    for place in start..<bytes.count { bytes[place] = ~bytes[place] }
  }

  /// One byte, as the magnitude of most numbers is small; nine where it is not, and its digits
  /// where it is long.
  private func appendMagnitude(to bytes: inout [UInt8]) {
    switch magnitude {
    case -127...126:
      bytes.append(UInt8(magnitude + 128))
    default:
      bytes.append(magnitude < 0 ? 0 : 255)
      let shifted = UInt64(bitPattern: Int64(magnitude)) ^ 1 << 63
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: shifted >> shift))
      }
      long?.appendOrdered(to: &bytes)
    }
  }

  /// Each byte is two digits and 1, so that 0 is less than all; zeros at the end are left out.
  private func appendDigits(to bytes: inout [UInt8]) {
    var place = digits.lowerBound
    var end = bytes.count
    while let tens = nextDigit(&place) {
      let pair = (tens &- Ascii.zero) &* 10 &+ ((nextDigit(&place) ?? Ascii.zero) &- Ascii.zero)
      bytes.append(pair &+ 1)
      if pair != 0 { end = bytes.count }
    }
    bytes.removeLast(bytes.count &- end)
    bytes.append(0)
  }
}
