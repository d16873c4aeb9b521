import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/sessions`: makes a session, over a tree of its own or a shared one.
  static let createSession = Endpoint(
    bodyTypes: [.json],
    .decode { call throws(ServiceError) in
      let idempotency = try call.idempotency()
      let new = try NewSession.decode(body: call.request.body, limits: call.limits)
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
