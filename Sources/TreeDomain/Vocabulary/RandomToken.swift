/// Random names: a letter, an underscore and 128 bits as 22 digits of base 62, highest first.
enum RandomToken {
  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
  )
  /// The least number of digits that hold 128 bits.
  private static let digitCount = 22
  /// 62 to the tenth.
  private static let tenDigits: UInt64 = 839_299_365_868_340_224

  static func bits(using generator: inout some RandomNumberGenerator) -> UInt128 {
    UInt128(generator.next()) << 64 | UInt128(generator.next())
  }

  static func bytes(of bits: UInt128, prefix: Unicode.Scalar) -> [UInt8] {
    var bytes = Array(repeating: UInt8(ascii: "_"), count: digitCount + 2)
    bytes[0] = UInt8(ascii: prefix)
    var high = UInt64(truncatingIfNeeded: bits >> 64)
    var low = UInt64(truncatingIfNeeded: bits)
    var place = bytes.count
    let alphabet = alphabet
    // As many digits at a time as a machine word holds, for dividing two words by one takes long.
    while place > 2 {
      let top = high.quotientAndRemainder(dividingBy: tenDigits)
      var word: UInt64
      (low, word) = tenDigits.dividingFullWidth((top.remainder, low))
      high = top.quotient
      for _ in 0..<min(10, place - 2) {
        place -= 1
        bytes[place] = alphabet[Int(word % 62)]
        word /= 62
      }
    }
    return bytes
  }

  /// The bits of a written name; `nil` unless it is the one way to write them.
  static func parse(_ bytes: some Sequence<UInt8>, prefix: Unicode.Scalar) -> UInt128? {
    let written = Array(bytes)
    guard
      written.count == digitCount + 2, written[0] == UInt8(ascii: prefix),
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

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 36
    default: nil
    }
  }
}
