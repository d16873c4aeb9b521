/// Random names: a letter, an underscore and 128 bits as 22 digits of base 62, highest first.
enum RandomToken {
  /// The least number of digits that hold 128 bits.
  private static let digitCount = 22
  /// 62 to the tenth.
  private static let tenDigits: UInt64 = 839_299_365_868_340_224

  static func bits(using generator: inout some RandomNumberGenerator) -> UInt128 {
    UInt128(generator.next()) << 64 | UInt128(generator.next())
  }

  /// How many bytes a written name has.
  static var length: Int { digitCount + 2 }

  static func bytes(of bits: UInt128, prefix: Unicode.Scalar) -> [UInt8] {
    var bytes = Array(repeating: UInt8(ascii: "_"), count: length)
    var span = bytes.mutableSpan
    put(bits, prefix: prefix, to: &span, at: 0)
    return bytes
  }

  /// Writes a name into room that is there.
  static func put(
    _ bits: UInt128,
    prefix: Unicode.Scalar,
    to bytes: inout MutableSpan<UInt8>,
    at start: Int
  ) {
    bytes[start] = UInt8(ascii: prefix)
    bytes[start + 1] = UInt8(ascii: "_")
    var high = UInt64(truncatingIfNeeded: bits >> 64)
    var low = UInt64(truncatingIfNeeded: bits)
    let first = start + 2
    var place = start + length
    // As many digits at a time as a machine word holds, for dividing two words by one takes long.
    while place > first {
      let top = high.quotientAndRemainder(dividingBy: tenDigits)
      var word: UInt64
      (low, word) = tenDigits.dividingFullWidth((top.remainder, low))
      high = top.quotient
      for _ in 0..<min(10, place - first) {
        place -= 1
        bytes[place] = digit(UInt8(word % 62))
        word /= 62
      }
    }
  }

  /// The bits of a written name; `nil` unless it is the one way to write them.
  static func parse(_ written: Span<UInt8>, prefix: Unicode.Scalar) -> UInt128? {
    guard
      written.count == length, written[0] == UInt8(ascii: prefix),
      written[1] == UInt8(ascii: "_")
    else { return nil }
    var bits: UInt128 = 0
    var place = 2
    // As many digits at a time as a machine word holds.
    while place < written.count {
      let end = place == 2 ? 2 + digitCount % 10 : place + 10
      var word: UInt64 = 0
      while place < end {
        guard let digit = value(of: written[place]) else { return nil }
        word = word * 62 + UInt64(digit)
        place += 1
      }
      let (scaled, overflowed) = bits.multipliedReportingOverflow(by: UInt128(tenDigits))
      let (sum, overflowedToo) = scaled.addingReportingOverflow(UInt128(word))
      guard !overflowed, !overflowedToo else { return nil }
      bits = sum
    }
    return bits
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case ..<10: UInt8(ascii: "0") + value
    case ..<36: UInt8(ascii: "A") + value - 10
    default: UInt8(ascii: "a") + value - 36
    }
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 36
    default: nil
    }
  }
}
