/// How much a client wants one of several forms of an answer (RFC 9110, 12.4.2).
public enum Weight {
  /// The thousandths that a value such as `0.25` stands for; nil for what is no weight.
  ///
  /// Digits beyond the third are passed over.
  public static func thousandths(_ value: ArraySlice<UInt8>) -> Int? {
    let digits = trimmingOptionalWhitespace(value)
    guard let first = digits.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"),
      digits.count == 1 || digits[digits.startIndex + 1] == UInt8(ascii: ".")
    else { return nil }
    var weight = first == UInt8(ascii: "1") ? 1_000 : 0
    var scale = 100
    for digit in digits.dropFirst(2) {
      guard digit.isDigit else { return nil }
      weight += Int(digit - UInt8(ascii: "0")) * scale
      scale /= 10
    }
    return weight <= 1_000 ? weight : nil
  }
}
