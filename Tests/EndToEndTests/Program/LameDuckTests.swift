import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The phase before the end in which all is served, and nothing new is to come.
struct LameDuckTests {
  /// Starts a program with such a phase and asks it to stop.
  private func start(_ seconds: Int, _ manager: ManagerSocket) throws -> (Program, UInt16) {
    let program = try Program(
      ["--port", "0", "--storage", "memory", "--lame-duck-seconds", "\(seconds)"],
      variables: ["NOTIFY_SOCKET": manager.path]
    )
    let port = try program.waitForPort()
    #expect(try SocketAccess(port: port).send(Ask(.get, "/readyz")).status == 200)
    program.send(SIGTERM)
    while try manager.receive().first != "STOPPING=1" {}
    return (program, port)
  }

  @Test func `readyz says 503 and all is served, until a second signal`() throws {
    let manager = try ManagerSocket()
    let (program, port) = try start(3_600, manager)
    let kept = SocketAccess(port: port)
    for _ in 0..<3 {
      let ready = try SocketAccess(port: port).send(Ask(.get, "/readyz"))
      #expect(ready.status == 503)
      #expect(ready.text == #"{"status":"unready","reason":"shutting-down"}"#)
      let made = try kept.send(Ask(.post, "/v1/sessions", "{}"))
      #expect(made.status == 201 && made["Connection"] != "close")
    }
    program.send(SIGHUP)
    #expect(try kept.send(Ask(.get, "/healthz")).status == 200)
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  @Test func `it ends by itself`() throws {
    let (program, _) = try start(1, try ManagerSocket())
    #expect(try program.waitForEnd().status == 0)
  }
}
