import HTTP
import TreeDomain

extension Endpoint {
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
