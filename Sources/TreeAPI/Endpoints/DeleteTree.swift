import HTTP
import TreeDomain

extension Endpoint {
  /// `DELETE /v1/trees/{tree}`: ends a shared tree and its sessions.
  static let deleteTree = Endpoint(
    answerTypes: [],
    .answer { call throws(ServiceError) in
      HeldAnswer.reply(
        Response(.noContent),
        try call.service.deleteTree(try call.tree(), try call.condition())
      )
    }
  )
}
