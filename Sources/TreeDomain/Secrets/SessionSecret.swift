/// What opens one session to whoever shows it: 256 bits, written as 43 characters of base64url
/// (RFC 4648, 5).
///
/// It is known while it is told and while it is asked for; what is kept is its ``SecretDigest``.
public struct SessionSecret: Sendable {
  /// Its bytes, ``byteCount`` of them.
  public let bytes: [UInt8]

  /// How many bytes it is.
  public static let byteCount = 32

  /// Takes a secret from its bytes; the result is `nil` when there are not as many.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
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

extension SessionSecret: CustomStringConvertible, CustomReflectable {
  /// Nothing of it.
  public var description: String { "a secret" }

  /// Nothing of it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
