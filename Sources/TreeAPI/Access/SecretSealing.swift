import TreeDomain

/// How the secret of a session is made of what its client sends, so that a retry is told the same
/// one though it is kept nowhere: it is the code of a random salt and of the idempotency key under
/// the API key that the client shows (HMAC-SHA-256).
///
/// The salt is kept with the answer. Whoever reads it there lacks the API key; whoever comes to
/// know that key when it is valid no more lacks the salt.
struct SecretSealing: Sendable {
  /// The API key that the request shows.
  let credential: [UInt8]
  /// The token of the idempotency key; empty without.
  let token: [UInt8]

  /// Makes a new secret.
  ///
  /// - Parameter generator: Where the salt comes from; the system's generator outside of tests.
  /// - Returns: What is to be kept of it.
  func seal(using generator: inout some RandomNumberGenerator) -> SealedSecret {
    let salt = (0..<SealedSecret.saltBytes).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    return SealedSecret(digest: SecretDigest(of: secret(salt)), salt: salt)
  }

  /// The secret that was made.
  ///
  /// - Parameter sealed: What was kept of it.
  /// - Returns: The secret.
  /// - Throws: `idempotency-key-reused` where it was made with another API key, which had the same
  ///   id.
  func open(_ sealed: SealedSecret) throws(ServiceError) -> SessionSecret {
    let secret = secret(sealed.salt)
    guard SecretDigest(of: secret) == sealed.digest else {
      throw ServiceError(
        .idempotencyKeyReused,
        "This Idempotency-Key was used with the API key that had this id before; choose a new one."
      )
    }
    return secret
  }

  private func secret(_ salt: [UInt8]) -> SessionSecret {
    guard let secret = SessionSecret(bytes: SHA256.code(of: salt + token, under: credential))
    else { preconditionFailure("a secret has as many bytes as a hash") }
    return secret
  }
}
