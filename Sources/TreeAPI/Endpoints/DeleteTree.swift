import HTTP
import TreeDomain

extension Endpoint {
  /// `DELETE /v1/trees/{tree}`: deletes a shared tree and its sessions.
  static let deleteTree = Endpoint(
    answerTypes: [],
    .answer { call throws(ServiceError) in
      let idempotency = try call.idempotency()
      let condition = try call.condition()
      return .ended(try call.service.deleteTree(try call.tree(), condition, idempotency))
    }
  )
}

extension Reply {
  /// Returns the reply to a deletion, which is sent once the deletion is durable.
  static func ended(_ ending: Ending) -> Reply {
    var fields = Fields()
    fields.record(isReplayed: ending.wasReplayed)
    return HeldAnswer.reply(Response(.noContent, fields: fields), ending.durability)
  }
}
