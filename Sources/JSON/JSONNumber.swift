/// A JSON number of any size and precision, for exact comparison.
///
/// Nothing is converted to binary floating point: `1e400` is less than `1e401`, and
/// `12345678901234567890` is less than `12345678901234567891`.
public struct JSONNumber: Sendable {
  /// Magnitudes below this, either way, are `Int`s; others are reckoned with digit by digit.
  private static let longMagnitude = 1_000_000_000_000_000_000

  private let bytes: ArraySlice<UInt8>
  /// -1, 0 or 1.
  let sign: Int
  /// The offsets of the first significant digit and behind the last digit before the exponent.
  let digits: Range<Int>
  /// The value is 0.ddd… times ten to the power of this; `Int.min` or `Int.max` where it is long.
  let magnitude: Int
  /// The magnitude where it is so long that no exponent that people write comes to it.
  let long: LongInteger?

  /// Reads a number; the result is `nil` when the bytes are none (RFC 8259 section 6).
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

  /// So many places and the exponent at `start`, which is 0 when the text ends there.
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
    // So that there is room for the places, which are far fewer.
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

  /// A magnitude, with its digits only where there is no other way: equal ones are kept alike.
  private static func long(_ value: LongInteger) -> (Int, LongInteger?) {
    guard value.digits.count <= 18 else { return (value.isNegative ? .min : .max, value) }
    let magnitude = value.digits.reduce(0) { $0 &* 10 &+ Int($1 &- Ascii.zero) }
    return (value.isNegative ? -magnitude : magnitude, nil)
  }

  /// Whether the number is less than zero.
  var isNegative: Bool { sign < 0 }

  /// The digits from the first to the last that is not zero; `nil` for zero.
  var significantDigits: [UInt8]? {
    guard sign != 0 else { return nil }
    var found = bytes[digits].filter { $0 != Ascii.point }
    while found.last == Ascii.zero { found.removeLast() }
    return found
  }

  /// The power of ten by which an integer of so many of the first digits must be multiplied, in
  /// decimal digits.
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

  /// Compares digit by digit; the digits a number lacks at its end are zeros.
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
