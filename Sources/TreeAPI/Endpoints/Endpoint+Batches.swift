import HTTP
import TreeDomain

// Changes of nodes and of views.
extension Endpoint {
  /// `POST …/batch`: applies operations, all or none.
  static let applyBatch = Endpoint(
    parameters: batchParameters,
    bodyTypes: [.json],
    permission: .view,
    .decode { call throws(ServiceError) in
      try call.applying(.operations, to: .session(try call.session()), try call.batchOptions())
    }
  )

  /// The query parameters of every form of a batch in a session.
  static let batchParameters: [QueryParameter] = [
    .changes, .sections, .include, .limit, .fields, .dryRun,
  ]

  /// Returns the endpoint of a batch of a single operation.
  static func applySingle(_ operation: SingleOperation) -> Endpoint {
    Endpoint(
      parameters: batchParameters + (operation == .setRoots ? [.section] : []),
      bodyTypes: operation.bodyTypes,
      permission: .view,
      .decode { call throws(ServiceError) in
        let target = BatchTarget.session(try call.session())
        var options = try call.batchOptions()
        if operation == .put { options.condition?.askForNode() }
        return try call.applying(.single(operation), to: target, options)
      }
    )
  }

  /// `POST /v1/trees/{tree}/batch`: applies data operations without a session, all or none.
  static let applyTreeBatch = Endpoint(
    parameters: [.dryRun],
    bodyTypes: [.json],
    .decode { call throws(ServiceError) in
      try call.applying(.operations, to: .tree(try call.tree()), try call.treeOptions())
    }
  )
}

extension SingleOperation {
  /// The accepted media types of the body.
  var bodyTypes: [MediaType] {
    switch self {
    // Needs no body, which would have no defined meaning (RFC 9110, 9.3.5).
    case .remove: []
    case .patch: [.mergePatch, .json]
    default: [.json]
    }
  }
}

extension Response {
  /// Creates the response to a change of a tree.
  init(_ answer: TreeBatchAnswer) {
    var fields = Fields()
    fields.record(isReplayed: answer.wasReplayed)
    self = .json(.ok, fields) { answer.write(to: &$0) }
  }
}
