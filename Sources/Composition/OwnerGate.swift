internal import HTTP
internal import TreeCluster

/// A handler that answers only while the lease of this instance lasts.
///
/// After some seconds without the database, another instance may own the slots, and memory may be
/// out of date. So only requests about health are answered then.
struct OwnerGate: RequestHandler {
  private let handler: any RequestHandler
  private let trees: ClusterService

  init(_ handler: any RequestHandler, _ trees: ClusterService) {
    self.handler = handler
    self.trees = trees
  }

  var router: Router { handler.router }
  var crossOrigin: CrossOriginPolicy? { handler.crossOrigin }

  func caller(of request: Request) -> String? { handler.caller(of: request) }
  func isForwarded(_ fields: Fields) -> Bool { handler.isForwarded(fields) }
  func client(of fields: Fields) -> String? { handler.client(of: fields) }
  func beginGroup() { handler.beginGroup() }
  func endGroup() { handler.endGroup() }
  func isVital(_ request: Request) -> Bool { handler.isVital(request) }

  func respond(to request: Request) -> Reply {
    isOpen(to: request) ? handler.respond(to: request) : .response(Self.refusal)
  }

  func receiver(for request: Request) -> (any BodyReceiver)? {
    isOpen(to: request) ? handler.receiver(for: request) : Refusal(Self.refusal)
  }

  private func isOpen(to request: Request) -> Bool { trees.isValid || handler.isVital(request) }

  private static var refusal: Response {
    var problem = Problem(
      code: "storage-failed",
      status: .serviceUnavailable,
      title: "Storage failed",
      detail: """
        The database has not answered for some seconds, so what is in memory may be out of date; \
        try again after 1 s.
        """
    )
    problem.fields.append(.retryAfter, "1")
    return problem.response
  }
}
