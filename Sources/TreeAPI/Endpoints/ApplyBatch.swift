import HTTP
import TreeDomain

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

  /// The query parameters of every form of a batch.
  static let batchParameters: [QueryParameter] = [
    .changes, .sections, .include, .limit, .fields, .dryRun,
  ]
}
