import HTTP
import HTTPServer
import TreeAPI
import TreeDomain
import TreeSessions

/// The transport of a test's requests. The same test runs over each.
enum Reach: CaseIterable {
  /// Calls the router directly, without HTTP.
  case router
  /// Goes through a socket to a server on a free port.
  case socket
  /// Through a socket to an instance that has none of the trees, and on to the one that has.
  case forwarded

  /// Runs the body with access to a new service without sessions.
  func withAccess(
    limits: SessionLimits = SessionLimits(),
    decoding: DecodingLimits = DecodingLimits(),
    _ body: (any Access) throws -> Void
  ) throws {
    let api = TreeAPI(service: SessionStore(limits: limits), limits: decoding)
    switch self {
    case .router: try body(RouterAccess(api: api))
    case .socket:
      try withServer(api) { port in try body(SocketAccess(port: port)) }
    case .forwarded:
      let cluster = try TestCluster(limits: limits, decoding: decoding)
      try body(cluster.instances[0].access)
    }
  }
}

/// Runs a server on a free port while the body runs.
func withServer(
  _ api: TreeAPI = TreeAPI(service: SessionStore()),
  limits: Limits = Limits(),
  _ body: (_ port: UInt16) throws -> Void
) throws {
  var options = ServerOptions()
  options.port = 0
  options.loops = 2
  let server = try Server(options: options, limits: limits, handler: api)
  try server.start()
  defer { server.stop(withinMilliseconds: 0) }
  try body(server.port)
}
