/// What is kept of a secret: its SHA-256, which tells nothing of it, as no secret is likelier than
/// another.
///
/// One half is what it is looked up by; only then the whole is compared. So no index ever compares
/// the other half, and the time that a look-up takes tells nothing of it.
public struct SecretDigest: Sendable {
  /// The half that it is looked up by.
  public let selector: UInt128
  private let verifier: UInt128

  /// The digest of a secret.
  public init(of secret: SessionSecret) { self.init(trusted: SHA256.hash(secret.bytes)) }

  /// Takes a digest from its bytes; the result is `nil` when there are not as many.
  public init?(bytes: [UInt8]) {
    guard bytes.count == SHA256.byteCount else { return nil }
    self.init(trusted: bytes)
  }

  private init(trusted bytes: [UInt8]) {
    func half(_ range: Range<Int>) -> UInt128 { bytes[range].reduce(0) { $0 << 8 | UInt128($1) } }
    selector = half(0..<16)
    verifier = half(16..<32)
  }

  /// Its bytes, those of the selector first.
  public var bytes: [UInt8] {
    [selector, verifier].flatMap { half in
      (0..<16).map { UInt8(truncatingIfNeeded: half >> (120 - 8 * UInt128($0))) }
    }
  }
}

extension SecretDigest: Equatable {
  /// Whether two are the same, in the same time wherever they differ.
  public static func == (left: SecretDigest, right: SecretDigest) -> Bool {
    (left.selector ^ right.selector) | (left.verifier ^ right.verifier) == 0
  }
}
