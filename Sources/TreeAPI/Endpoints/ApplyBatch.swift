import HTTP
import TreeDomain

extension Endpoint {
  /// `POST …/batch`: applies operations, all or none.
  static let applyBatch = Endpoint(
    parameters: batchParameters,
    bodyTypes: [.json],
    weight: .body
  ) { call throws(ServiceError) in
    try call.apply { () throws(ServiceError) in
      try Batch.decode(body: call.request.body, limits: call.limits)
    }
  }

  /// What every form of a batch takes.
  static let batchParameters: [QueryParameter] = [.changes, .include, .limit, .fields, .dryRun]
}

extension Call {
  /// Applies a batch to the session the path names; a batch is not read before the rest is.
  func apply(
    _ batch: () throws(ServiceError) -> Batch
  ) throws(ServiceError) -> Response {
    let session = try session()
    let options = try batchOptions()
    let answer = try service.apply(try batch(), to: session, options)
    var fields = Fields()
    if answer.hasCreatedNode {
      fields.append(
        .location,
        "/v1/sessions/".utf8 + session.bytes + "/nodes/".utf8 + percentEncoded(key)
      )
    }
    fields.note(isReplayed: answer.wasReplayed)
    return .json(answer.hasCreatedNode ? .created : .ok, fields) { answer.write(to: &$0) }
  }
}
