import Dispatch
import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing

/// Reads that return less than has arrived.
struct ReadingTests {
  /// A handler that blocks at `/gate`, so that input arrives before the loop reads it.
  private final class Handler: RequestHandler {
    let gate = DispatchSemaphore(value: 0)
    let atGate = DispatchSemaphore(value: 0)

    func respond(to request: Request) -> Reply {
      if request.target.segment(at: 0).elementsEqual("gate".utf8) {
        atGate.signal()
        _ = gate.wait(timeout: .now() + 10)
      }
      return .response(Response(.ok, body: Array("<>".utf8)))
    }
  }

  /// Lets a client send while the loop is busy, and expects a response.
  private func expectAnswer(isLocal: Bool, after send: (Client) -> Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    let handler = Handler()
    let address = LocalSocket(path: path, mode: 0o600)
    try withServer(handler: handler, loops: 1, options: { $0.localSocket = address }) { server in
      let client = isLocal ? Client(path: path) : Client(port: server.port)
      #expect(client.exchange(get("/"), endingIn: ">").statuses == [200])
      let gate = Client(port: server.port)
      gate.send(get("/gate"))
      #expect(handler.atGate.wait(timeout: .now() + 10) == .success)
      #expect(send(client))
      handler.gate.signal()
      #expect(client.read(endingIn: ">").statuses == [200])
    }
  }

  @Test func `a request is read completely after urgent data`() throws {
    try expectAnswer(isLocal: false) { client in
      client.send("GET /hea") && client.sendUrgently(0x21)
        && client.send("lthz HTTP/1.1\r\n\(host)\r\n")
    }
  }

  @Test func `a request is read completely after a passed descriptor`() throws {
    try expectAnswer(isLocal: true) { client in
      client.send("GET /hea", with: client.descriptor)
        && client.send("lthz HTTP/1.1\r\n\(host)\r\n")
    }
  }
}
