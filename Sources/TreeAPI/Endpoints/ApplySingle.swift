import HTTP
import TreeDomain

extension Endpoint {
  /// The forms that are a batch of one operation and nothing more.
  static func applySingle(_ operation: SingleOperation) -> Endpoint {
    Endpoint(
      parameters: batchParameters + (operation == .setRoots ? [.section] : []),
      bodyTypes: operation.bodyTypes,
      weight: .body
    ) { call throws(ServiceError) in
      try call.apply { () throws(ServiceError) in
        try Batch.decode(
          operation,
          key: operation.hasKey ? call.key : nil,
          section: call.query.section,
          body: operation.bodyTypes.isEmpty ? [] : call.request.body,
          limits: call.limits
        )
      }
    }
  }
}

extension SingleOperation {
  /// The media types of the body.
  fileprivate var bodyTypes: [MediaType] {
    switch self {
    // Says everything in its path; a body would have no meaning (RFC 9110, 9.3.5).
    case .remove: []
    case .patch: [.mergePatch, .json]
    default: [.json]
    }
  }
}
