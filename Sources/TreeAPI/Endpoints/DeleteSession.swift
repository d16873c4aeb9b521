import HTTP
import TreeDomain

extension Endpoint {
  /// `DELETE /v1/sessions/{session}`: ends a session and its private tree.
  static let deleteSession = Endpoint(
    answerTypes: [],
    permission: .view,
    .answer { call throws(ServiceError) in
      let session = try call.session()
      var idempotency = try call.idempotency()
      // Kept where those of all sessions are, as its own end with it: told apart by whose it is.
      idempotency?.token.insert(contentsOf: session.bytes + [UInt8(ascii: " ")], at: 0)
      let condition = try call.condition()
      return .ended(try call.service.deleteSession(session, condition, idempotency))
    }
  )
}
