import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/trees/{tree}/batch`: applies data operations without a session, all or none.
  static let applyTreeBatch = Endpoint(
    parameters: [.dryRun],
    bodyTypes: [.json],
    weight: .body
  ) { call throws(ServiceError) in
    let tree = try call.tree()
    let options = try call.treeOptions()
    let batch = try Batch.decode(body: call.request.body, limits: call.limits)
    return Response(try call.service.apply(batch, to: tree, options))
  }
}

extension Response {
  /// The answer to what changed a tree.
  init(_ answer: TreeBatchAnswer) {
    var fields = Fields()
    fields.note(isReplayed: answer.wasReplayed)
    self = .json(.ok, fields) { answer.write(to: &$0) }
  }
}
