/// A secret that opens one session: 256 bits, written as 43 characters of base64url (RFC 4648,
/// section 5).
///
/// It is in memory only while it is sent or checked. Only its ``SecretDigest`` is stored.
package struct SessionSecret: Sendable {
  /// The bytes of the secret, ``byteCount`` of them.
  package let bytes: [UInt8]

  /// The size of a secret in bytes.
  package static let byteCount = 32

  /// Makes a secret from its bytes; `nil` if their number is wrong.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Parses a secret; `nil` if the text is not its canonical form.
  package init?(_ text: some Collection<UInt8>) {
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
    // The unused bits of the last character must be 0.
    guard bits & 3 == 0 else { return nil }
    self.init(bytes: bytes)
  }

  /// The text of the secret in ASCII.
  package var text: [UInt8] {
    var text: [UInt8] = []
    let bytes = bytes + [0]
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let bits = bytes[start..<start + 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      text += (0..<4).map { Self.alphabet[Int(bits >> (18 - 6 * UInt32($0)) & 63)] }
    }
    // The last character is only padding.
    return text.dropLast()
  }

  private static let characterCount = 43
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
  )
}

extension SessionSecret: CustomStringConvertible, CustomReflectable {
  /// A description without the secret.
  package var description: String { "a secret" }

  /// A mirror without the secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The stored form of a session's secret: its digest and its salt.
///
/// The secret is derived from the salt and from data that only its client has. So the creator of a
/// session can get it again after a retry, but nobody can compute it from stored data.
package struct SealedSecret: Equatable, Sendable {
  /// The digest of the secret.
  package let digest: SecretDigest
  /// The random bytes that the secret is derived from, ``saltBytes`` of them.
  package let salt: [UInt8]

  /// The size of the salt in bytes.
  package static let saltBytes = 32

  /// Makes a sealed secret.
  ///
  /// - Precondition: The salt has ``saltBytes`` bytes.
  package init(digest: SecretDigest, salt: [UInt8]) {
    precondition(salt.count == Self.saltBytes, "a salt has as many bytes as a hash")
    self.digest = digest
    self.salt = salt
  }
}
