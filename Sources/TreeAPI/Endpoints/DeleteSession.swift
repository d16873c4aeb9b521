import HTTP
import TreeDomain

extension Endpoint {
  /// `DELETE /v1/sessions/{session}`: deletes a session and its private tree.
  static let deleteSession = Endpoint(
    answerTypes: [],
    permission: .view,
    .answer { call throws(ServiceError) in
      let session = try call.session()
      var idempotency = try call.idempotency()
      // Kept with the tokens of the service, because those of the session are deleted with it. The
      // session's id tells the tokens of different sessions apart.
      idempotency?.token.insert(contentsOf: session.bytes + [UInt8(ascii: " ")], at: 0)
      let condition = try call.condition()
      return .ended(try call.service.deleteSession(session, condition, idempotency))
    }
  )
}
