import HTTP

extension Problem {
  /// The problem of a request without credentials, or with credentials that are no bearer token.
  ///
  /// The challenge names no error (RFC 6750, 3.1).
  static var unauthenticated: Problem {
    challenge(
      .unauthenticated,
      error: nil,
      "Send a key of this service, or the secret of the session, as Authorization: Bearer <it>."
    )
  }

  /// The problem of unknown credentials.
  static var unknownToken: Problem {
    challenge(
      .unauthenticated,
      error: "invalid_token",
      "The token is no key of this service and opens no session; it may have been withdrawn."
    )
  }

  /// The problem of a session secret on a path that is not below that session.
  static var foreignSession: Problem {
    challenge(
      .forbidden,
      error: "insufficient_scope",
      "The secret opens one session and what is below it; for anything else use a key."
    )
  }

  /// Returns the problem of a key whose scopes do not grant the request.
  static func insufficientScope(of scopes: Set<KeyScope>) -> Problem {
    let allowed =
      scopes.contains(.read)
      ? """
      A key with the scope read may GET everything, and make and use sessions with \
      "access": "view". For other requests use a key with the scope admin.
      """
      : """
      A key with the scope metrics may GET /metrics. For other requests use a key with the scope \
      read or admin.
      """
    return challenge(.forbidden, error: "insufficient_scope", allowed)
  }

  /// The problem of a change of data in a session with `"access": "view"`.
  static let viewedSession = Problem(
    .forbidden,
    detail: """
      This session was made with "access": "view": it may be read, followed, expanded, filtered, \
      selected in and deleted. To change data, use a session with "access": "write".
      """
  )

  /// The same problem with a challenge for valid but insufficient credentials.
  var challenged: Problem {
    var problem = self
    problem.fields.append(.wwwAuthenticate, Self.challenge(error: "insufficient_scope"))
    return problem
  }

  /// The problem of a change caused by a web page of an origin that is not listed.
  static var foreignOrigin: Problem {
    Problem(
      .forbidden,
      detail: "Pages of this origin may change nothing here; list it in corsOrigins if they may."
    )
  }

  private static func challenge(
    _ code: ProblemCode,
    error: String?,
    _ detail: String
  ) -> Problem {
    var problem = Problem(code, detail: detail)
    problem.fields.append(.wwwAuthenticate, challenge(error: error))
    return problem
  }

  private static func challenge(error: String?) -> String {
    "Bearer realm=\"tree-server\"" + (error.map { ", error=\"\($0)\"" } ?? "")
  }
}

extension FieldName {
  /// The challenge that names the accepted credentials (RFC 9110, 11.6.1).
  static let wwwAuthenticate = FieldName("WWW-Authenticate")
}
