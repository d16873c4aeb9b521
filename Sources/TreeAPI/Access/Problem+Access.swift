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

  /// The credentials are those of a session, and what is asked for is not below it.
  static var insufficientScope: Problem {
    challenge(
      .forbidden,
      error: "insufficient_scope",
      "The secret opens one session and what is below it; for anything else use a key."
    )
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
    let attribute = error.map { ", error=\"\($0)\"" } ?? ""
    problem.fields.append(.wwwAuthenticate, "Bearer realm=\"tree-server\"" + attribute)
    return problem
  }
}

extension FieldName {
  /// How to ask with credentials (RFC 9110, 11.6.1).
  static let wwwAuthenticate = FieldName("WWW-Authenticate")
}
