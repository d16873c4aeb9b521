import HTTP
import TreeDomain

/// Who may ask for what.
///
/// Without keys anybody may ask for everything. With keys a request has to show one, unless its
/// route is open to all; for what is below a session, that session's secret will do. Whether what a
/// path names exists is not looked at before that.
struct AccessRule: Sendable {
  private let keys: AccessKeys

  /// The rule that these keys make.
  init(keys: AccessKeys) { self.keys = keys }

  /// Whether anything is asked of anybody, so that a session is to have a secret.
  var asksForKeys: Bool { !keys.isEmpty }

  /// Whether whoever asks for this has to be known.
  func isGuarded(_ endpoint: Endpoint) -> Bool { asksForKeys && !endpoint.isOpen }

  /// Why a request is refused at a guarded endpoint; nil if it is not.
  ///
  /// - Parameters:
  ///   - request: The request; its body is not looked at.
  ///   - path: What its path names.
  ///   - service: Knows the secrets of sessions.
  /// - Returns: The answer to it, 401 or 403.
  /// - Throws: What the service does, so `overloaded` with a turn where a secret has to be looked
  ///   up on disk and this is the thread that must not wait.
  func refusal(
    of request: Request,
    _ path: PathParameters,
    _ service: any TreeService
  ) throws(ServiceError) -> Problem? {
    guard let token = request.fields.bearerToken else { return .unauthenticated }
    if keys.id(of: token) != nil { return nil }
    guard let secret = SessionSecret(token), let session = try service.session(openedBy: secret)
    else { return .unknownToken }
    let named = path.value(of: "session").flatMap { SessionID($0) }
    return named == session ? nil : .insufficientScope
  }

  /// The id of the key that a request shows; nil if it shows none.
  func keyID(of request: Request) -> String? {
    request.fields.bearerToken.flatMap { keys.id(of: $0) }
  }

  /// Who asks: the id of the key that a request shows, or `session` where it is the secret of one;
  /// nil if it is neither, as far as the service can tell without waiting.
  func caller(of request: Request, _ service: any TreeService) -> String? {
    guard asksForKeys, let token = request.fields.bearerToken else { return nil }
    if let id = keys.id(of: token) { return id }
    let session = SessionSecret(token).flatMap { try? service.session(openedBy: $0) }
    return session == nil ? nil : Self.sessionCaller
  }

  /// What whoever shows the secret of a session is called.
  static let sessionCaller = "session"
}
