import HTTP
import TreeDomain

extension Endpoint {
  /// `PUT …/nodes/{key}`: inserts a node, or replaces what one holds.
  static let putNode = Endpoint(
    parameters: batchParameters,
    bodyTypes: [.json]
  ) { call throws(ServiceError) in
    let answer = try call.apply(.put)
    guard answer.hasCreatedNode else { return .json(.ok) { answer.write(to: &$0) } }
    let session = answer.session.bytes
    var fields = Fields()
    fields.append(
      .location,
      "/v1/sessions/".utf8 + session + "/nodes/".utf8 + percentEncoded(call.key)
    )
    return .json(.created, fields) { answer.write(to: &$0) }
  }

  /// `PATCH …/nodes/{key}`: merges a patch into a node's object (RFC 7396).
  static let patchNode = Endpoint(
    parameters: batchParameters,
    bodyTypes: [.mergePatch, .json]
  ) { call throws(ServiceError) in
    let answer = try call.apply(.patch)
    return .json(.ok) { answer.write(to: &$0) }
  }

  /// The forms that are a batch of one operation and nothing more.
  static func applySingle(_ operation: SingleOperation) -> Endpoint {
    Endpoint(
      parameters: batchParameters,
      // A DELETE says everything in its path; its body would have no meaning (RFC 9110, 9.3.5).
      bodyTypes: operation == .remove ? [] : [.json]
    ) { call throws(ServiceError) in
      let answer = try call.apply(operation)
      return .json(.ok) { answer.write(to: &$0) }
    }
  }
}

extension Call {
  /// Applies the one operation that the path and the body say.
  fileprivate func apply(_ operation: SingleOperation) throws(ServiceError) -> BatchAnswer {
    try apply { () throws(ServiceError) in
      try Batch.decode(
        operation,
        key: operation.hasKey ? key : nil,
        body: operation == .remove ? [] : request.body,
        limits: limits
      )
    }
  }
}
