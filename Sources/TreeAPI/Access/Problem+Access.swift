import HTTP

extension Problem {
  /// The request shows no credentials, or not in the way they are written here.
  ///
  /// No error is named in the challenge then (RFC 6750, 3.1).
  static var unauthenticated: Problem {
    challenge(
      .unauthenticated,
      error: nil,
      "Send a key of this service, or the secret of the session, as Authorization: Bearer <it>."
    )
  }

  /// The credentials are nobody's.
  static var unknownToken: Problem {
    challenge(
      .unauthenticated,
      error: "invalid_token",
      "The token is no key of this service and opens no session; it may have been withdrawn."
    )
  }

  /// The credentials are those of a session, and the path is not below that session.
  static var foreignSession: Problem {
    challenge(
      .forbidden,
      error: "insufficient_scope",
      "The secret opens one session and what is below it; for anything else use a key."
    )
  }

  /// The scopes of the key do not grant the request.
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

  /// The session has `"access": "view"`, and the request changes data.
  static let viewedSession = Problem(
    .forbidden,
    detail: """
      This session was made with "access": "view": it may be read, followed, expanded, filtered, \
      selected in and deleted. To change data, use a session with "access": "write".
      """
  )

  /// The same problem, with the challenge for credentials that are known and not enough.
  var challenged: Problem {
    var problem = self
    problem.fields.append(.wwwAuthenticate, Self.challenge(error: "insufficient_scope"))
    return problem
  }

  /// A web page of an origin that is not listed made a browser ask for this.
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
  /// How to ask with credentials (RFC 9110, 11.6.1).
  static let wwwAuthenticate = FieldName("WWW-Authenticate")
}
