import HTTP
import TreeDomain

extension Endpoint {
  /// `DELETE /v1/sessions/{session}`: ends a session and its private tree.
  static let deleteSession = Endpoint(
    answerTypes: [],
    .answer { call throws(ServiceError) in
      HeldAnswer.reply(
        Response(.noContent),
        try call.service.deleteSession(try call.session(), try call.condition())
      )
    }
  )
}
