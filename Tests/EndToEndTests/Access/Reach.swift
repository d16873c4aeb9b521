import HTTP
import HTTPServer
import TreeAPI
import TreeDomain
import TreeSessions

/// How far a test's requests travel: the same test is run at every depth.
enum Reach: CaseIterable {
  /// To the router and back, without a byte of HTTP.
  case router
  /// Through a socket to a server on a free port.
  case socket
  /// Through a socket to an instance that has none of the trees, and on to the one that has.
  case forwarded

  /// Makes a service without sessions and the way to it, for as long as the body runs.
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

/// Serves on a free port, which the body is told, while it runs.
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
