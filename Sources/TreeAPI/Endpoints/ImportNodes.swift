import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/trees/{tree}/import`: inserts nodes into a tree, one a line, all or none.
  static let importNodes = Endpoint(
    parameters: [.dryRun],
    bodyTypes: [.lines, .bytes],
    .receive { call throws(ServiceError) in
      let tree = try call.tree()
      let options = try call.treeOptions()
      let attempt = Attempt()
      do throws(ServiceError) {
        // A missing tree is reported before the lines are sent.
        _ = try call.context.service.answering(attempt).tree(tree, expectedRevision: nil)
      } catch {
        // A tree that must be loaded is checked again when the lines are complete.
        guard attempt.isRefused else { throw error }
      }
      return ImportReceiver(into: tree, options, token: try call.idempotencyToken(), call)
    }
  )
}
