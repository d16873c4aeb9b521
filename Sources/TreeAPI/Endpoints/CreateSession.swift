import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/sessions`: makes a session with a tree of its own.
  static let createSession = Endpoint(
    bodyTypes: [.json]
  ) { call throws(ServiceError) in
    let new = try NewSession.decode(body: call.request.body, limits: call.limits)
    let session = try call.service.createSession(new, nil).description
    var fields = Fields()
    fields.append(.location, "/v1/sessions/".utf8 + session.session.bytes)
    return .json(.created, fields) { session.write(to: &$0) }
  }
}
