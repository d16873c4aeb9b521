import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/trees`: creates a tree that sessions can share.
  static let createTree = Endpoint(
    bodyTypes: [.json],
    .decode { call throws(ServiceError) in
      let refusal = call.refusal(at: nil)
      let idempotency = try call.idempotency()
      let new = try NewTree.decode(body: call.request.body, limits: call.limits)
      return { service throws(ServiceError) in
        if let refusal { return .response(refusal) }
        let created = try service.createTree(new, idempotency)
        let tree = created.description
        var fields = Fields()
        fields.append(.location, "/v1/trees/".utf8 + tree.tree.bytes)
        fields.record(isReplayed: created.wasReplayed)
        let response = Response.json(.created, fields) { tree.write(to: &$0) }
        return HeldAnswer.reply(response, created.durability)
      }
    }
  )
}
