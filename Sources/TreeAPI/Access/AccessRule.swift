import HTTP
import TreeDomain

/// The rule for who may ask for what.
///
/// Without keys anybody may ask for everything, but that a session with `"access": "view"` changes
/// no data. With keys a request has to show one whose scopes grant what it needs, unless its route
/// is open to all. For what is below a session the secret of that session will do, within the
/// session's access. Whether the session or tree of a path exists is not looked at before that.
struct AccessRule: Sendable {
  /// The keys, which can be replaced.
  let ring: KeyRing
  /// True if requests must show credentials, and sessions have secrets; it never changes.
  let asksForKeys: Bool

  /// Makes the rule for the keys that the service starts with.
  init(keys: AccessKeys) {
    ring = KeyRing(keys)
    asksForKeys = !keys.isEmpty
  }

  /// Returns true if an endpoint asks for credentials.
  func isGuarded(_ endpoint: Endpoint) -> Bool { asksForKeys && !endpoint.isOpen }

  /// Returns the reason to refuse a request, or nil if its sender has a right.
  ///
  /// - Parameters:
  ///   - request: The request; its body is not looked at.
  ///   - path: The names in its path.
  ///   - permission: The right.
  ///   - service: Knows the secrets and the access of sessions.
  /// - Returns: The answer to it, 401 or 403.
  /// - Throws: The errors of the service; an attempt that must not wait is refused where a session
  ///   has to be looked up on disk.
  func refusal(
    of request: Request,
    _ path: PathParameters,
    needing permission: Permission,
    _ service: any TreeService
  ) throws(ServiceError) -> Problem? {
    let named = path.value(of: "session").flatMap { SessionID($0) }
    guard asksForKeys else { return try refusal(of: permission, at: named, service) }
    guard let token = request.fields.bearerToken else { return .unauthenticated }
    if let key = ring.current.key(with: token) {
      return try refusal(of: permission, to: key.scopes, at: named, service)
    }
    guard let secret = SessionSecret(token), let session = try service.session(openedBy: secret)
    else { return .unknownToken }
    guard named == session else { return .foreignSession }
    return try refusal(of: permission, at: session, service)?.challenged
  }

  /// Returns the refusal that the access of a session is the reason for.
  private func refusal(
    of permission: Permission,
    at session: SessionID?,
    _ service: any TreeService
  ) throws(ServiceError) -> Problem? {
    guard permission == .change, let session else { return nil }
    return try service.access(of: session) == .view ? .viewedSession : nil
  }

  private func refusal(
    of permission: Permission,
    to scopes: Set<KeyScope>,
    at session: SessionID?,
    _ service: any TreeService
  ) throws(ServiceError) -> Problem? {
    guard scopes.contains(where: { $0.grants(permission) }) else {
      return .insufficientScope(of: scopes)
    }
    guard permission == .view, !scopes.contains(.admin), let session else { return nil }
    // A session that does not exist is not found by whoever may use those that do.
    let access = try service.access(of: session)
    return access == .write ? .insufficientScope(of: scopes) : nil
  }

  /// Returns the id of the key that a request shows, or nil if it shows none.
  func keyID(of request: Request) -> String? {
    request.fields.bearerToken.flatMap { ring.current.key(with: $0)?.id }
  }

  /// Returns the id of the key that a request shows, or `session` for the secret of a session; nil
  /// if it is neither, as far as the service can tell without waiting.
  func caller(of request: Request, _ service: any TreeService) -> String? {
    guard asksForKeys, let token = request.fields.bearerToken else { return nil }
    if let key = ring.current.key(with: token) { return key.id }
    let session = SessionSecret(token).flatMap { try? service.session(openedBy: $0) }
    return session == nil ? nil : Self.sessionCaller
  }

  /// The name of callers who show the secret of a session.
  static let sessionCaller = "session"
}
