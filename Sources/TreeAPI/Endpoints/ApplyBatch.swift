import HTTP
import TreeDomain

extension Endpoint {
  /// `POST …/batch`: applies operations, all or none.
  static let applyBatch = Endpoint(
    parameters: batchParameters,
    bodyTypes: [.json],
    .reply { call throws(ServiceError) in
      try call.apply(.operations, to: .session(try call.session()), try call.batchOptions())
    }
  )

  /// What every form of a batch takes.
  static let batchParameters: [QueryParameter] = [.changes, .include, .limit, .fields, .dryRun]
}
