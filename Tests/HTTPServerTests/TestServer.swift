import HTTP
import HTTPServer

/// A handler that responds with the method, the raw target, and the content in angle brackets.
struct EchoHandler: RequestHandler {
  func respond(to request: Request) -> Reply {
    var body = Array("\(request.method.rawValue) ".utf8)
    body += request.target.raw
    body += " <".utf8
    body += request.body
    body += ">".utf8
    return .response(Response(.ok, contentType: "text/plain", body: body))
  }
}

/// A handler that responds to everything with a number of bytes.
struct BulkHandler: RequestHandler {
  let count: Int

  func respond(to request: Request) -> Reply {
    .response(Response(.ok, body: [UInt8](repeating: 0x61, count: count)))
  }
}

/// Runs a server on a free port while a body runs.
func withServer(
  handler: any RequestHandler = EchoHandler(),
  loops: Int = 2,
  maxConnections: Int = 1_024,
  metrics: ServerMetrics = ServerMetrics(),
  options choose: (inout ServerOptions) -> Void = { _ in },
  limits change: (inout Limits) -> Void = { _ in },
  _ body: (Server) throws -> Void
) throws {
  var options = ServerOptions()
  options.port = 0
  options.loops = loops
  options.maxConnections = maxConnections
  choose(&options)
  var limits = Limits()
  change(&limits)
  let server = try Server(options: options, limits: limits, handler: handler, metrics: metrics)
  try server.start()
  defer { server.stop(withinMilliseconds: 0) }
  try body(server)
}

let host = "Host: localhost\r\n"

func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\n\(host)\r\n" }
