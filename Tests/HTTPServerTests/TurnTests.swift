import Dispatch
import HTTP
import HTTPServer
import Synchronization
import Testing

/// Notifications of the handler about groups of connections.
@Suite struct TurnTests {
  /// A handler that records its calls, and blocks at `/gate`.
  private final class Handler: RequestHandler {
    let notes = Mutex<[String]>([])
    let gate = DispatchSemaphore(value: 0)
    let atGate = DispatchSemaphore(value: 0)

    func beginGroup() { record("begin") }
    func endGroup() { record("end") }

    func respond(to request: Request) -> Reply {
      let name = String(decoding: request.target.segment(at: 0), as: UTF8.self)
      record(name)
      if name == "gate" {
        atGate.signal()
        _ = gate.wait(timeout: .now() + 10)
      }
      return .response(Response(.ok, body: Array("<>".utf8)))
    }

    private func record(_ word: String) { notes.withLock { $0.append(word) } }
  }

  @Test func `simultaneous requests are handled as one group`() throws {
    let handler = Handler()
    try withServer(handler: handler, loops: 1) { server in
      let gate = Client(port: server.port)
      let clients = [Client(port: server.port), Client(port: server.port)]
      for client in clients { #expect(client.exchange(get("/"), endingIn: ">").statuses == [200]) }
      gate.send(get("/gate"))
      #expect(handler.atGate.wait(timeout: .now() + 10) == .success)
      clients[0].send(get("/a"))
      clients[1].send(get("/b"))
      handler.gate.signal()
      for client in clients { #expect(client.read(endingIn: ">").statuses == [200]) }
      #expect(clients[0].exchange(get("/last"), endingIn: ">").statuses == [200])
    }
    let notes = handler.notes.withLock { $0 }
    #expect(notes.contains(["begin", "a", "b", "end"]))
    #expect(notes.count { $0 == "begin" } == notes.count { $0 == "end" })
  }
}
