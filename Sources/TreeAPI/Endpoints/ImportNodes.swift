import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/trees/{tree}/import`: brings nodes into a tree, a line each, all or none.
  static let importNodes = Endpoint(
    parameters: [.dryRun],
    bodyTypes: [.lines, .bytes],
    .receive { call throws(ServiceError) in
      let tree = try call.tree()
      let options = try call.treeOptions()
      let attempt = Attempt()
      do throws(ServiceError) {
        // A tree that is not there is told before the lines are sent.
        _ = try call.context.service.answering(attempt).tree(tree, expectedRevision: nil)
      } catch {
        // One that has to be read anew is waited for when they are there.
        guard attempt.isRefused else { throw error }
      }
      return ImportReceiver(into: tree, options, token: try call.idempotencyToken(), call)
    }
  )
}
