import JSON

/// Random names: a letter, an underscore and 128 bits as 22 digits of base 62, highest first.
///
/// They are kept as they are written, for they are read and written in every answer, and to work
/// out digits takes long.
struct RandomToken: Hashable, Comparable, Sendable {
  /// The least number of digits that hold 128 bits.
  private static let digitCount = 22
  /// How many bytes a written name has.
  static let length = digitCount + 2

  /// Eight characters each, the first one highest.
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

  /// Takes a written name; `nil` for other bytes than a prefix and as many digits as there must be.
  ///
  /// Whether they are those of 128 bits is to be told by comparing.
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

  /// The name as it is written.
  var bytes: [UInt8] {
    var bytes = Array(repeating: UInt8(0), count: Self.length)
    var span = bytes.mutableSpan
    put(to: &span)
    return bytes
  }

  /// Writes the name into room that it fills.
  func put(to bytes: inout MutableSpan<UInt8>) {
    Self.put(words.0, to: &bytes, at: 0)
    Self.put(words.1, to: &bytes, at: 8)
    Self.put(words.2, to: &bytes, at: 16)
  }

  /// Puts the name into room for it, which must need no escapes.
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

  /// Orders names of one prefix by their bits, for digits are in the order of their characters.
  static func < (left: RandomToken, right: RandomToken) -> Bool { left.words < right.words }

  /// Of what is random, a part tells as much as the whole.
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
