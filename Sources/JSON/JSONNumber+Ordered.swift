extension JSONNumber {
  /// Appends a key whose byte order is the numeric order.
  ///
  /// Equal numbers have equal keys. No key is a prefix of another number's key.
  ///
  /// The key is a sign byte, followed for all numbers but zero by the magnitude, two digits a byte
  /// and a zero byte. For negative numbers all bytes behind the sign are inverted.
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

  /// Appends the magnitude: one byte if it is small, else nine, plus its digits if it is long.
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

  /// Appends two digits in each byte, plus 1, so that the byte 0 at the end is less than any other.
  ///
  /// Zeros at the end of the number are left out.
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

extension JSONNumber {
  /// The canonical text of the number, equal for equal numbers; itself a JSON number.
  public var canonical: [UInt8] {
    guard let digits = significantDigits else { return [Ascii.zero] }
    var text: [UInt8] = isNegative ? [Ascii.minus] : []
    text.append(contentsOf: digits)
    text.append(Ascii.e)
    // The point moves behind the digits, so the exponent decreases by their count.
    text.append(contentsOf: exponent(of: digits.count))
    return text
  }
}
