internal import HTTP
internal import TreeAPI
internal import TreeStorage

/// The API as long as this instance owns the database.
///
/// After some seconds without the database, another instance may own it, and what this one has in
/// memory may be out of date: nothing of it is shown then. Requests about the health are answered.
struct OwnerGate: RequestHandler {
  private let api: TreeAPI
  private let database: PostgreSQLStorage

  init(_ api: TreeAPI, _ database: PostgreSQLStorage) {
    self.api = api
    self.database = database
  }

  var router: Router { api.router }
  var crossOrigin: CrossOriginPolicy? { api.crossOrigin }

  func caller(of request: Request) -> String? { api.caller(of: request) }
  func beginGroup() { api.beginGroup() }
  func endGroup() { api.endGroup() }
  func isVital(_ request: Request) -> Bool { api.isVital(request) }

  func respond(to request: Request) -> Reply {
    isOpen(to: request) ? api.respond(to: request) : .response(Self.refusal)
  }

  func receiver(for request: Request) -> (any BodyReceiver)? {
    isOpen(to: request) ? api.receiver(for: request) : Refusal(Self.refusal)
  }

  private func isOpen(to request: Request) -> Bool { database.isOwner || api.isVital(request) }

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
