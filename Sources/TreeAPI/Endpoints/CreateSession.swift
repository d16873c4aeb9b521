import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/sessions`: makes a session, over a tree of its own or a shared one.
  static let createSession = Endpoint(
    bodyTypes: [.json],
    weight: .body
  ) { call throws(ServiceError) in
    let idempotency = try call.idempotency()
    let new = try NewSession.decode(body: call.request.body, limits: call.limits)
    let created = try call.service.createSession(new, idempotency)
    let session = created.description
    var fields = Fields()
    fields.append(.location, "/v1/sessions/".utf8 + session.session.bytes)
    fields.note(isReplayed: created.wasReplayed)
    return .json(.created, fields) { session.write(to: &$0) }
  }
}
