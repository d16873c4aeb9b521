import TreeDomain

/// A derivation of session secrets, so that a retry gets the same secret although it is not stored.
///
/// A secret is the HMAC-SHA-256 of a random salt and the idempotency key, with the client's API key
/// as the key.
///
/// The salt is stored with the response. A reader of the storage lacks the API key. Somebody who
/// learns the API key after its withdrawal lacks the salt.
struct SecretSealing: Sendable {
  /// The API key of the request.
  let credential: [UInt8]
  /// The token of the idempotency key; empty if there is none.
  let token: [UInt8]

  /// Creates a new secret.
  ///
  /// - Parameter generator: The source of the salt, outside of tests the system's generator.
  /// - Returns: The part of it that is stored.
  func seal(using generator: inout some RandomNumberGenerator) -> SealedSecret {
    let salt = (0..<SealedSecret.saltBytes).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    return SealedSecret(digest: SecretDigest(of: secret(salt)), salt: salt)
  }

  /// Derives the secret again.
  ///
  /// - Parameter sealed: The stored part.
  /// - Returns: The secret.
  /// - Throws: `idempotency-key-reused` if it was created with another API key of the same id.
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
