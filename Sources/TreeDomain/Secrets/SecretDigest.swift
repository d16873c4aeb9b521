/// The digest of a session's secret: its SHA-256.
///
/// Secrets are random, so the digest does not reveal them. A lookup compares only one half, and
/// afterwards the whole digest is compared in constant time. So the time of a lookup reveals
/// nothing about the other half.
package struct SecretDigest: Sendable {
  /// The half that is used for lookups.
  package let selector: UInt128
  private let verifier: UInt128

  /// Computes the digest of a secret.
  package init(of secret: SessionSecret) { self.init(trusted: SHA256.hash(secret.bytes)) }

  /// Makes a digest from its bytes; `nil` if their number is wrong.
  package init?(bytes: [UInt8]) {
    guard bytes.count == SHA256.byteCount else { return nil }
    self.init(trusted: bytes)
  }

  private init(trusted bytes: [UInt8]) {
    func half(_ range: Range<Int>) -> UInt128 { bytes[range].reduce(0) { $0 << 8 | UInt128($1) } }
    selector = half(0..<16)
    verifier = half(16..<32)
  }

  /// The bytes of the digest, starting with the selector.
  package var bytes: [UInt8] {
    [selector, verifier].flatMap { half in
      (0..<16).map { UInt8(truncatingIfNeeded: half >> (120 - 8 * UInt128($0))) }
    }
  }
}

extension SecretDigest: Equatable {
  /// Compares two digests in constant time.
  package static func == (left: SecretDigest, right: SecretDigest) -> Bool {
    (left.selector ^ right.selector) | (left.verifier ^ right.verifier) == 0
  }
}
