import Glibc
import HTTP
import Testing

@testable import HTTPServer

/// A port between the start of a process and the start of its service.
struct BoundPortTests {
  private func options(port: UInt16 = 0) -> ServerOptions {
    var options = ServerOptions()
    options.port = port
    options.loops = 3
    return options
  }

  private func bind(_ options: ServerOptions) throws -> BoundPort {
    guard let port = try BoundPort.bind(options) else { throw SystemError(call: "bind", code: 0) }
    return port
  }

  @Test func `clients are refused while a port is bound, and served when it listens`() throws {
    let options = options()
    let bound = try bind(options)
    let port = bound.number
    // Connections are refused and not reset, because nobody listens.
    for _ in 0..<100 { #expect(!Client.isListening(port)) }
    let server = try Server(
      options: options,
      limits: Limits(),
      handler: EchoHandler(),
      port: bound
    )
    #expect(server.port == port)
    // Connections made before the loops run are served by them.
    let clients = (0..<50).map { _ in Client(port: port) }
    for client in clients { client.send(get("/a")) }
    try server.start()
    for client in clients { #expect(client.read(endingIn: ">").hasSuffix("GET /a <>")) }
    #expect(server.stop(withinMilliseconds: 0) == 0)
  }

  @Test func `binding a port in use fails at once`() throws {
    try withServer { server in
      #expect(throws: ServerError.portInUse(server.port)) {
        _ = try BoundPort.bind(options(port: server.port))
      }
    }
  }

  @Test func `of two bound ports, the first to listen has it alone`() throws {
    let first = try bind(options())
    let port = first.number
    let second = try bind(options(port: port))
    let server = try Server(
      options: options(port: port),
      limits: Limits(),
      handler: EchoHandler(),
      port: first
    )
    var refusal: ServerError?
    do throws(ServerError) {
      _ = try Server(
        options: options(port: port),
        limits: Limits(),
        handler: EchoHandler(),
        port: second
      )
    } catch {
      refusal = error
    }
    #expect(refusal == .portInUse(port))
    try server.start()
    let client = Client(port: port)
    client.send(get("/a"))
    #expect(client.read(endingIn: ">").hasSuffix("GET /a <>"))
    server.stop(withinMilliseconds: 0)
  }

  @Test func `an invalid host is refused when binding`() {
    var options = options()
    options.host = "nobody"
    #expect(throws: ServerError.invalidHost("nobody")) { _ = try BoundPort.bind(options) }
  }
}
