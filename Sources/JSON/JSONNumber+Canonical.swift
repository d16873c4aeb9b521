extension JSONNumber {
  /// The one way to write the number that all equal numbers have; itself a JSON number.
  public var canonical: [UInt8] {
    guard let digits = significantDigits else { return [Ascii.zero] }
    var text: [UInt8] = isNegative ? [Ascii.minus] : []
    text.append(contentsOf: digits)
    text.append(Ascii.e)
    // The digits stand before the point now, so that the exponent is less by their count.
    text.append(contentsOf: exponent(of: digits.count))
    return text
  }
}
