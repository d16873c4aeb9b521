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
