import JSON

/// A random name: a letter, an underscore and 128 bits as 22 digits of base 62, highest first.
///
/// It is stored as text, because it is read and written in every answer and conversion is slow.
struct RandomToken: Hashable, Comparable, Sendable {
  /// The number of digits for 128 bits.
  private static let digitCount = 22
  /// The size of a name in bytes.
  static let length = digitCount + 2

  /// The characters, eight in each word, big-endian.
  private let words: (UInt64, UInt64, UInt64)

  static func bits(using generator: inout some RandomNumberGenerator) -> UInt128 {
    UInt128(generator.next()) << 64 | UInt128(generator.next())
  }

  init(_ bits: UInt128, prefix: Unicode.Scalar) {
    var digits: [UInt8] = []
    var rest = bits
    for _ in 0..<Self.digitCount {
      digits.append(Self.digit(UInt8(rest % 62)))
      rest /= 62
    }
    let written = [UInt8(ascii: prefix), UInt8(ascii: "_")] + digits.reversed()
    words = Self.words(of: written.span)
  }

  /// Parses a name; `nil` if the length or a digit is wrong.
  ///
  /// Does not check that the digits fit into 128 bits. The caller compares with the largest name.
  init?(_ written: Span<UInt8>) {
    guard written.count == Self.length else { return nil }
    for place in 2..<written.count where !Self.isDigit(written[place]) { return nil }
    words = Self.words(of: written)
  }

  private static func words(of written: Span<UInt8>) -> (UInt64, UInt64, UInt64) {
    func word(_ start: Int) -> UInt64 {
      var word: UInt64 = 0
      for place in start..<(start + 8) { word = word << 8 | UInt64(written[place]) }
      return word
    }
    return (word(0), word(8), word(16))
  }

  /// The text of the name.
  var bytes: [UInt8] {
    var bytes = Array(repeating: UInt8(0), count: Self.length)
    var span = bytes.mutableSpan
    put(to: &span)
    return bytes
  }

  /// Writes the text.
  ///
  /// - Precondition: The span has exactly its length.
  func put(to bytes: inout MutableSpan<UInt8>) {
    Self.put(words.0, to: &bytes, at: 0)
    Self.put(words.1, to: &bytes, at: 8)
    Self.put(words.2, to: &bytes, at: 16)
  }

  /// Writes the text to JSON output.
  ///
  /// It contains no characters that need escapes.
  func put(to out: inout JSONRoom) {
    out.put(bytesOf: words.0.byteSwapped)
    out.put(bytesOf: words.1.byteSwapped)
    out.put(bytesOf: words.2.byteSwapped)
  }

  private static func put(_ word: UInt64, to bytes: inout MutableSpan<UInt8>, at start: Int) {
    for place in 0..<8 {
      bytes[start + place] = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * place))
    }
  }

  static func == (left: RandomToken, right: RandomToken) -> Bool { left.words == right.words }

  /// Orders names with the same prefix by their bits.
  ///
  /// Digits are ordered like their characters.
  static func < (left: RandomToken, right: RandomToken) -> Bool { left.words < right.words }

  /// Hashes a part of the random bits, which is enough.
  func hash(into hasher: inout Hasher) { hasher.combine(words.2) }

  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case ..<10: UInt8(ascii: "0") + value
    case ..<36: UInt8(ascii: "A") + value - 10
    default: UInt8(ascii: "a") + value - 36
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
