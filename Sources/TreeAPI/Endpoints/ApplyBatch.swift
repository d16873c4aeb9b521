import HTTP
import TreeDomain

extension Endpoint {
  /// `POST …/batch`: applies operations, all or none.
  static let applyBatch = Endpoint(
    parameters: batchParameters,
    bodyTypes: [.json]
  ) { call throws(ServiceError) in
    let answer = try call.apply { () throws(ServiceError) in
      try Batch.decode(body: call.request.body, limits: call.limits)
    }
    return .json(.ok) { answer.write(to: &$0) }
  }

  /// What every form of a batch takes.
  static let batchParameters: [QueryParameter] = [.changes, .include, .limit]
}

extension Call {
  /// Applies a batch to the session the path names; a batch is not read before the rest is.
  func apply(
    _ batch: () throws(ServiceError) -> Batch
  ) throws(ServiceError) -> BatchAnswer {
    let session = try session()
    let options = try query.batchOptions()
    return try service.apply(try batch(), to: session, options)
  }
}
