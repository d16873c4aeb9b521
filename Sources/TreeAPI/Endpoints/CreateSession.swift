import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/sessions`: makes a session, over a tree of its own or a shared one.
  static let createSession = Endpoint(
    bodyTypes: [.json],
    .decode { call throws(ServiceError) in
      let idempotency = try call.idempotency()
      let new = try call.newSession()
      return { service throws(ServiceError) in
        let created = try service.createSession(new, idempotency)
        let session = created.description
        var fields = Fields()
        fields.append(.location, "/v1/sessions/".utf8 + session.session.bytes)
        fields.note(isReplayed: created.wasReplayed)
        let response = Response.json(.created, fields) { session.write(to: &$0) }
        return HeldAnswer.reply(response, created.durability)
      }
    }
  )
}

extension Call {
  /// The session that the body asks for, with a secret if there are keys that not everybody is to
  /// have.
  fileprivate func newSession() throws(ServiceError) -> NewSession {
    var new = try NewSession.decode(body: request.body, limits: limits)
    if context.access.asksForKeys {
      var generator = SystemRandomNumberGenerator()
      new.secret = SessionSecret(using: &generator)
    }
    return new
  }
}
