extension Array where Element == UInt8 {
  /// Appends the decimal digits of a number, which must not be negative.
  mutating func append(decimal number: Int) {
    var scale = 1
    while number / scale >= 10 { scale *= 10 }
    while scale > 0 {
      append(UInt8(ascii: "0") + UInt8(number / scale % 10))
      scale /= 10
    }
  }
}
