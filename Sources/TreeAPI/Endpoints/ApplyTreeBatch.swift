import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/trees/{tree}/batch`: applies data operations without a session, all or none.
  static let applyTreeBatch = Endpoint(
    parameters: [.dryRun],
    bodyTypes: [.json],
    .decode { call throws(ServiceError) in
      try call.applying(.operations, to: .tree(try call.tree()), try call.treeOptions())
    }
  )
}

extension Response {
  /// Creates the response to a change of a tree.
  init(_ answer: TreeBatchAnswer) {
    var fields = Fields()
    fields.record(isReplayed: answer.wasReplayed)
    self = .json(.ok, fields) { answer.write(to: &$0) }
  }
}
