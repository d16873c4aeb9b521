/// What opens one session to whoever shows it: 256 random bits, written as 43 characters of
/// base64url (RFC 4648, 5).
///
/// One half is what it is looked up by; only then the whole is compared. So no index ever compares
/// the other half, and the time that a look-up takes tells nothing of it.
public struct SessionSecret: Sendable {
  /// The half that it is looked up by.
  public let selector: UInt128
  private let verifier: UInt128

  /// How many bytes it is.
  public static let byteCount = 32

  private init(selector: UInt128, verifier: UInt128) {
    self.selector = selector
    self.verifier = verifier
  }

  /// Makes a new secret.
  ///
  /// - Parameter generator: Where the bits come from; the system's generator outside of tests.
  public init(using generator: inout some RandomNumberGenerator) {
    self.init(
      selector: RandomToken.bits(using: &generator),
      verifier: RandomToken.bits(using: &generator)
    )
  }

  /// Takes a secret from its bytes; the result is `nil` when there are not as many.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    func half(_ range: Range<Int>) -> UInt128 { bytes[range].reduce(0) { $0 << 8 | UInt128($1) } }
    self.init(selector: half(0..<16), verifier: half(16..<32))
  }

  /// Reads a secret as it is written; the result is `nil` unless it is the one way to write one.
  public init?(_ text: some Collection<UInt8>) {
    guard text.count == Self.characterCount else { return nil }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for character in text {
      guard let digit = Self.alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(digit)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
    // What is left of the last character.
    guard bits & 3 == 0 else { return nil }
    self.init(bytes: bytes)
  }

  /// Its bytes, those of the selector first.
  public var bytes: [UInt8] {
    [selector, verifier].flatMap { half in
      (0..<16).map { UInt8(truncatingIfNeeded: half >> (120 - 8 * UInt128($0))) }
    }
  }

  /// The secret as it is written, in ASCII.
  public var text: [UInt8] {
    var text: [UInt8] = []
    let bytes = bytes + [0]
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let bits = bytes[start..<start + 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      text += (0..<4).map { Self.alphabet[Int(bits >> (18 - 6 * UInt32($0)) & 63)] }
    }
    // The last one is all padding.
    return text.dropLast()
  }

  private static let characterCount = 43
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
  )
}

extension SessionSecret: Equatable {
  /// Whether two secrets are the same, in the same time wherever they differ: a comparison that
  /// stopped early would tell how much of a guess was right.
  public static func == (left: SessionSecret, right: SessionSecret) -> Bool {
    (left.selector ^ right.selector) | (left.verifier ^ right.verifier) == 0
  }
}

extension SessionSecret: CustomStringConvertible, CustomReflectable {
  /// Nothing of it.
  public var description: String { "a secret" }

  /// Nothing of it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
