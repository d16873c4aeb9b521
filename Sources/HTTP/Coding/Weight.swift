/// The weight that a client gives one of several forms of a response (RFC 9110, 12.4.2).
package enum Weight {
  /// Returns a value such as `0.25` in thousandths, or nil if it is malformed.
  ///
  /// Digits after the third are ignored.
  package static func thousandths(_ value: ArraySlice<UInt8>) -> Int? {
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
