/// The secret of a session as those know it who keep it: by its digest, and by what it was made of
/// beside what only its client has.
///
/// So whoever made a session can be told its secret again, and nobody who reads what is kept can
/// know it.
public struct SealedSecret: Equatable, Sendable {
  /// What opens the session has this digest.
  public let digest: SecretDigest
  /// Random bytes that went into the secret, ``saltBytes`` of them.
  public let salt: [UInt8]

  /// How many bytes of salt there are.
  public static let saltBytes = 32

  /// Keeps what is known of a secret.
  ///
  /// - Precondition: The salt has ``saltBytes`` bytes.
  public init(digest: SecretDigest, salt: [UInt8]) {
    precondition(salt.count == Self.saltBytes, "a salt has as many bytes as a hash")
    self.digest = digest
    self.salt = salt
  }
}
