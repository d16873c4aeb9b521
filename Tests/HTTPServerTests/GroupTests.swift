import Dispatch
import Glibc
import HTTP
import HTTPServer
import Synchronization
import Testing

/// Groups of simultaneous requests.
@Suite struct GroupTests {
  /// The number of clients, which fit into one group.
  private static let count = 8

  /// A handler that counts the clients with a response at each request, and blocks at `/gate`.
  private final class Handler: RequestHandler {
    let sockets = Mutex<[Int32]>([])
    let answered = Mutex<[Int]>([])
    let gate = DispatchSemaphore(value: 0)
    let atGate = DispatchSemaphore(value: 0)
    let handled = DispatchSemaphore(value: 0)

    func respond(to request: Request) -> Reply {
      let name = String(decoding: request.target.segment(at: 0), as: UTF8.self)
      if name == "gate" {
        atGate.signal()
        _ = gate.wait(timeout: .now() + 10)
      } else {
        let count = sockets.withLock { $0.count(where: Self.hasSomething) }
        answered.withLock { $0.append(count) }
        if name == "long" { usleep(1_000) }
        handled.signal()
      }
      return .response(Response(.ok, body: Array("<>".utf8)))
    }

    private static func hasSomething(_ socket: Int32) -> Bool {
      var byte: UInt8 = 0
      return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
    }
  }

  /// The system may interrupt the loop in the middle of a group, which then takes long.
  ///
  /// Therefore one good round of many suffices.
  @Test func `requests of a group are handled before responses are sent`() throws {
    try withClients { round in
      #expect((0..<500).contains { _ in round("/brief").prefix(3) == [0, 0, 0] })
    }
  }

  @Test func `a ready response does not wait for long requests`() throws {
    try withClients { round in
      #expect(round("/long") == Array(0..<Self.count))
    }
  }

  /// Runs a body with a function that lets all clients send while the loop is busy.
  ///
  /// It returns how many clients had a response when each request was handled.
  private func withClients(_ body: (_ round: (String) -> [Int]) -> Void) throws {
    let handler = Handler()
    try withServer(handler: handler, loops: 1) { server in
      let gate = Client(port: server.port)
      let clients = (0..<Self.count).map { _ in Client(port: server.port) }
      for client in clients {
        #expect(client.exchange(get("/"), endingIn: ">").statuses == [200])
        handler.handled.wait()
      }
      handler.sockets.withLock { $0 = clients.map(\.descriptor) }
      body { path in
        handler.answered.withLock { $0 = [] }
        gate.send(get("/gate"))
        #expect(handler.atGate.wait(timeout: .now() + 10) == .success)
        for client in clients { client.send(get(path)) }
        handler.gate.signal()
        // Reading removes the data that is counted, so it waits until all are handled.
        for _ in clients { #expect(handler.handled.wait(timeout: .now() + 10) == .success) }
        for client in clients + [gate] {
          #expect(client.read(endingIn: ">").statuses == [200])
        }
        return handler.answered.withLock { $0 }
      }
    }
  }
}
