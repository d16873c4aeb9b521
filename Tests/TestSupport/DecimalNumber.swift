/// A JSON number with exact comparison, for any magnitude and precision.
struct DecimalNumber: Comparable {
  /// The sign: -1, 0 or 1.
  private let sign: Int
  /// The digits without leading or trailing zeros. The value is 0.`digits` × 10^`exponent`.
  private let digits: [UInt8]
  private let exponent: Int

  /// Parses a JSON number, whose exponent must fit an `Int`.
  init(text: String) {
    let unsigned = text.drop { $0 == "-" }
    let parts = unsigned.split(whereSeparator: { $0 == "e" || $0 == "E" })
    let halves = parts[0].split(separator: ".")
    let whole = Array(halves[0].utf8)
    let all = whole + (halves.count > 1 ? Array(halves[1].utf8) : [])
    let zero = UInt8(ascii: "0")
    let leading = all.prefix { $0 == zero }.count
    var kept = Array(all.dropFirst(leading))
    while kept.last == zero { kept.removeLast() }
    digits = kept
    sign = kept.isEmpty ? 0 : (text.hasPrefix("-") ? -1 : 1)
    let written = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    exponent = kept.isEmpty ? 0 : whole.count - leading + written
  }

  /// Compares by value.
  static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    if left.sign != right.sign { return left.sign < right.sign }
    let (small, large) = left.sign < 0 ? (right, left) : (left, right)
    if small.exponent != large.exponent { return small.exponent < large.exponent }
    return small.digits.lexicographicallyPrecedes(large.digits)
  }
}
