/// A JSON number of any size and precision, for exact comparison.
///
/// Nothing is converted to binary floating point: `1e400` is less than `1e401`, and
/// `12345678901234567890` is less than `12345678901234567891`.
public struct JSONNumber: Sendable {
  /// The least absolute magnitude that is handled digit by digit instead of as an `Int`.
  private static let longMagnitude = 1_000_000_000_000_000_000

  private let bytes: ArraySlice<UInt8>
  /// The sign: -1, 0 or 1.
  let sign: Int
  /// The range of offsets from the first significant digit to the exponent or the end.
  let digits: Range<Int>
  /// The exponent *e* of the value written as 0.ddd… × 10ᵉ; `Int.min` or `Int.max` if it is long.
  let magnitude: Int
  /// The exact magnitude if it does not fit, else `nil`.
  let long: LongInteger?

  /// Parses a number, or returns `nil` if the bytes are no JSON number (RFC 8259 section 6).
  ///
  /// - Parameter bytes: The whole text of one number.
  /// - Complexity: O(count of digits); does not allocate.
  public init?(_ bytes: ArraySlice<UInt8>) {
    let text = bytes.span
    guard
      let first = bytes.first, first == Ascii.minus || Ascii.isDigit(first),
      let end = try? Scan.number(text, 0), end == text.count
    else { return nil }
    self.init(bytes, checked: text)
  }

  private init(_ bytes: ArraySlice<UInt8>, checked text: Span<UInt8>) {
    let start = text[0] == Ascii.minus ? 1 : 0
    var significant: Int?
    var point: Int?
    var i = start
    while i < text.count, text[i] | 0x20 != Ascii.e {
      if text[i] == Ascii.point {
        point = i
      } else if text[i] != Ascii.zero, significant == nil {
        significant = i
      }
      i &+= 1
    }
    self.bytes = bytes
    let base = bytes.startIndex
    guard let significant else {
      (sign, digits, magnitude, long) = (0, base..<base, 0, nil)
      return
    }
    let unit = point ?? i
    sign = start == 1 ? -1 : 1
    digits = (base &+ significant)..<(base &+ i)
    let places = significant < unit ? unit &- significant : unit &+ 1 &- significant
    (magnitude, long) = JSONNumber.magnitude(text, from: i, places: places)
  }

  /// Returns `places` plus the exponent at `start`, which is 0 if the text ends there.
  private static func magnitude(
    _ text: Span<UInt8>,
    from start: Int,
    places: Int
  ) -> (Int, LongInteger?) {
    guard start < text.count else { return (places, nil) }
    var first = start &+ 1
    let isNegative = text[first] == Ascii.minus
    if isNegative || text[first] == Ascii.plus { first &+= 1 }
    while first < text.count, text[first] == Ascii.zero { first &+= 1 }
    // Up to 18 digits leave room in an `Int` for adding the places, which are far fewer.
    guard text.count &- first > 18 else {
      var exponent = 0
      for i in first..<text.count { exponent = exponent &* 10 &+ Int(text[i] &- Ascii.zero) }
      let magnitude = places &+ (isNegative ? -exponent : exponent)
      guard magnitude.magnitude >= longMagnitude else { return (magnitude, nil) }
      let digits = Array(String(magnitude.magnitude).utf8)
      return long(LongInteger(isNegative: isNegative, digits: digits))
    }
    let digits = (first..<text.count).map { text[$0] }
    return long(LongInteger(isNegative: isNegative, digits: digits) + places)
  }

  /// Splits a magnitude into its two properties, so that equal magnitudes have equal forms.
  private static func long(_ value: LongInteger) -> (Int, LongInteger?) {
    guard value.digits.count <= 18 else { return (value.isNegative ? .min : .max, value) }
    let magnitude = value.digits.reduce(0) { $0 &* 10 &+ Int($1 &- Ascii.zero) }
    return (value.isNegative ? -magnitude : magnitude, nil)
  }

  /// True if the number is less than zero.
  var isNegative: Bool { sign < 0 }

  /// The digits from the first to the last that is not zero, or `nil` if the number is zero.
  var significantDigits: [UInt8]? {
    guard sign != 0 else { return nil }
    var found = bytes[digits].filter { $0 != Ascii.point }
    while found.last == Ascii.zero { found.removeLast() }
    return found
  }

  /// Returns the exponent for the first `count` digits read as an integer, in decimal digits.
  func exponent(of count: Int) -> [UInt8] {
    guard let long else { return Array(String(magnitude &- count).utf8) }
    return (long.isNegative ? [Ascii.minus] : []) + (long + -count).digits
  }

  /// Compares two numbers by value: `1`, `1.0` and `10e-1` are equal, and so are `0` and `-0`.
  ///
  /// - Returns: -1 when `self` is less, 1 when it is greater, 0 when both are equal.
  /// - Complexity: O(count of digits).
  public func compared(to other: JSONNumber) -> Int {
    guard sign == other.sign else { return sign < other.sign ? -1 : 1 }
    guard sign != 0 else { return 0 }
    guard magnitude == other.magnitude else {
      return magnitude < other.magnitude ? -sign : sign
    }
    if let long, let other = other.long, long != other { return sign &* long.compared(to: other) }
    return sign &* compareDigits(to: other)
  }

  /// Compares digit by digit; missing digits at the end of a number count as zeros.
  private func compareDigits(to other: JSONNumber) -> Int {
    var i = digits.lowerBound
    var j = other.digits.lowerBound
    while true {
      let left = nextDigit(&i)
      let right = other.nextDigit(&j)
      switch (left, right) {
      case (nil, nil): return 0
      default:
        let (l, r) = (left ?? Ascii.zero, right ?? Ascii.zero)
        if l != r { return l < r ? -1 : 1 }
      }
    }
  }

  func nextDigit(_ i: inout Int) -> UInt8? {
    if i < digits.upperBound, bytes[i] == Ascii.point { i &+= 1 }
    guard i < digits.upperBound else { return nil }
    defer { i &+= 1 }
    return bytes[i]
  }
}
