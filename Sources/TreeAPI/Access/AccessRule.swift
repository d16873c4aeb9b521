import HTTP
import TreeDomain

/// The rule that decides which requests a caller may make.
///
/// Without keys everything is allowed, except that a session with `"access": "view"` changes no
/// data. With keys, a request must have a key whose scopes grant the permission, unless its route
/// is open. Below a session, the secret of that session also works, within the session's access.
/// The credentials are checked before the session or tree of the path is looked up.
struct AccessRule: Sendable {
  /// The keys, which can be replaced.
  let ring: KeyRing
  /// True if requests need credentials, and sessions have secrets.
  ///
  /// It never changes.
  let asksForKeys: Bool

  /// Creates the rule for the initial keys.
  init(keys: AccessKeys) {
    ring = KeyRing(keys)
    asksForKeys = !keys.isEmpty
  }

  /// Returns true if an endpoint requires credentials.
  func isGuarded(_ endpoint: Endpoint) -> Bool { asksForKeys && !endpoint.isOpen }

  /// Returns the reason to refuse a request, or nil if its caller has a permission.
  ///
  /// - Parameters:
  ///   - request: The request; its body is not used.
  ///   - path: The parameters in its path.
  ///   - permission: The permission.
  ///   - service: The service that knows the secrets and the access of sessions.
  /// - Returns: The problem, 401 or 403.
  /// - Throws: The errors of the service. An attempt that must not block fails if a session must be
  ///   looked up on disk.
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
    guard let secret = SessionSecret(token),
      let session = try service.session(openedBy: secret, at: named)
    else { return .unknownToken }
    guard named == session else { return .foreignSession }
    return try refusal(of: permission, at: session, service)?.challenged
  }

  /// Returns the refusal that follows from the access of a session.
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
    // A missing session gives 404 only to callers that may use existing ones.
    let access = try service.access(of: session)
    return access == .write ? .insufficientScope(of: scopes) : nil
  }

  /// Returns the id of the key that a request has, or nil if it has none.
  func keyID(of request: Request) -> String? {
    request.fields.bearerToken.flatMap { ring.current.key(with: $0)?.id }
  }

  /// Returns the name of the caller whose share of memory a request uses; nil if there is at most
  /// one caller, who needs no share.
  func payer(of request: Request) -> String? {
    asksForKeys && ring.current.areSeveral ? keyID(of: request) : nil
  }

  /// Returns the id of a request's key, or `session` for the secret of a session.
  ///
  /// Returns nil if it has neither, or if the service cannot tell without blocking.
  func caller(of request: Request, _ service: any TreeService) -> String? {
    guard asksForKeys, let token = request.fields.bearerToken else { return nil }
    if let key = ring.current.key(with: token) { return key.id }
    let session = SessionSecret(token).flatMap { try? service.session(openedBy: $0, at: nil) }
    return session == nil ? nil : Self.sessionCaller
  }

  /// The name in logs of callers with the secret of a session.
  static let sessionCaller = "session"
}
