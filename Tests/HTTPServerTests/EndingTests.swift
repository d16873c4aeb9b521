import HTTP
import HTTPServer
import TestSupport
import Testing

/// Clients that keep sending and shut down their side during the last response.
struct EndingTests {
  /// More bytes than a connection reads in one loop iteration.
  private static let unread = [UInt8](repeating: 0x78, count: 200_000)

  @Test func `the last response arrives complete`() throws {
    try withServer(handler: BulkHandler(count: 1_000_000)) { server in
      for _ in 0..<5 {
        let client = Client(port: server.port, receiveBufferBytes: 16_384)
        client.send("GET / HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        #expect(client.send(Self.unread))
        client.finish()
        let (text, ending) = client.readToEnd()
        #expect(text.utf8.count > 1_000_000 && ending == .closed)
      }
    }
  }

  @Test func `responses before a refusal, and the refusal, arrive complete`() throws {
    try withServer(handler: BulkHandler(count: 100_000)) { server in
      for _ in 0..<5 {
        let client = Client(port: server.port, receiveBufferBytes: 16_384)
        client.send(String(repeating: get("/"), count: 5) + "BAD  REQUEST\r\n\r\n")
        #expect(client.send(Self.unread))
        client.finish()
        let (text, ending) = client.readToEnd()
        #expect(text.statuses == [200, 200, 200, 200, 200, 400] && ending == .closed)
      }
    }
  }

  @Test func `the last response on a Unix socket arrives complete`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    let address = try #require(LocalSocket(path: path, mode: 0o600))
    try withServer(options: { $0.localSocket = address }) { _ in
      for _ in 0..<5 {
        let client = Client(path: path)
        client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 99999999\r\n\r\n")
        #expect(client.send([UInt8](repeating: 0x78, count: 5_000_000)))
        client.finish()
        let (text, ending) = client.readToEnd()
        #expect(text.statuses == [413] && ending == .closed)
      }
    }
  }
}
