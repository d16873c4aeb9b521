import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The lame duck phase: the program is unready, but still serves all requests.
struct LameDuckTests {
  /// Starts a program with a lame duck phase, and sends SIGTERM.
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

  @Test func `readyz answers 503 and all requests are served until a second signal`() throws {
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

  @Test func `the program ends when the phase is over`() throws {
    let (program, _) = try start(1, try ManagerSocket())
    #expect(try program.waitForEnd().status == 0)
  }
}
