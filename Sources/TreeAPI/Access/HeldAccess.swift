import HTTP

/// The access of an event stream or a long poll, which is ended when its API key is revoked.
///
/// The secret of a session needs no such check, because it is valid as long as the session.
struct HeldAccess: Sendable {
  /// The maximum time until the removal of a key is noticed, in milliseconds.
  static let intervalMilliseconds = 5_000

  private let ring: KeyRing
  private let token: [UInt8]
  private let scopes: Set<KeyScope>

  /// Creates the access of a request with a key; nil for a request without one.
  init?(of request: Request, _ rule: AccessRule) {
    guard rule.asksForKeys, let token = request.fields.bearerToken,
      let key = rule.ring.current.key(with: token)
    else { return nil }
    ring = rule.ring
    self.token = Array(token)
    scopes = key.scopes
  }

  /// True if the key was removed, or its scopes changed and do not include ``KeyScope/admin``.
  var isWithdrawn: Bool {
    guard let key = ring.current.key(with: token[...]) else { return true }
    return key.scopes != scopes && !key.scopes.contains(.admin)
  }
}
