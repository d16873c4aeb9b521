import HTTP

/// The access of an answer that goes on for long: it ends when the key of its request is withdrawn.
///
/// The secret of a session lives as long as the session, whose end is told otherwise.
struct StandingAccess: Sendable {
  /// The time, in milliseconds, after which a withdrawn key is noticed at the latest.
  static let intervalMilliseconds = 5_000

  private let ring: KeyRing
  private let token: [UInt8]
  private let scopes: Set<KeyScope>

  /// Makes the access of a request that showed a key; nil if it showed none.
  init?(of request: Request, _ rule: AccessRule) {
    guard rule.asksForKeys, let token = request.fields.bearerToken,
      let key = rule.ring.current.key(with: token)
    else { return nil }
    ring = rule.ring
    self.token = Array(token)
    scopes = key.scopes
  }

  /// True if the key is none of the service any more, or has fewer rights.
  var isWithdrawn: Bool {
    guard let key = ring.current.key(with: token[...]) else { return true }
    return key.scopes != scopes && !key.scopes.contains(.admin)
  }
}
