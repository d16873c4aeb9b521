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
