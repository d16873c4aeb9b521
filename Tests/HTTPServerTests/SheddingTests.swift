import HTTP
import HTTPServer
import TestSupport
import Testing

/// Load shedding when the limit of held memory is reached.
@Suite struct SheddingTests {
  private static let content = [UInt8](repeating: 0x78, count: 60_000)

  private func post(_ path: String, _ length: Int, _ more: String = "") -> String {
    "POST \(path) HTTP/1.1\r\n\(host)\(more)Content-Length: \(length)\r\n\r\n"
  }

  /// Runs a server that may hold 1 MB, of which two unanswered requests hold 900 kB.
  private func withHalfFullServer(
    _ metrics: ServerMetrics = ServerMetrics(),
    _ body: (Server, _ held: [HeldAnswer], _ clients: [Client]) throws -> Void
  ) throws {
    let answers = (0..<20).map { _ in HeldAnswer() }
    try withServer(
      handler: LateHandler(answers: answers),
      loops: 1,
      metrics: metrics,
      options: { $0.maxBufferedBytes = 1_000_000 }
    ) { server in
      let clients = answers.map { _ in Client(port: server.port) }
      for index in 0..<2 {
        clients[index].send(post("/late/\(index)", 450_000))
        clients[index].send([UInt8](repeating: 0x78, count: 450_000))
        #expect(answers[index].waitForStart())
      }
      try body(server, answers, clients)
    }
  }

  @Test func `content without room is refused before it is sent`() throws {
    try withHalfFullServer { server, _, _ in
      let client = Client(port: server.port)
      client.send(post("/", 200_000, "Expect: 100-continue\r\n"))
      let text = client.read(endingIn: "}")
      #expect(text.statuses == [503] && text.contains("\r\nRetry-After: 1\r\n"))
      // Short content and requests without content are served.
      let other = Client(port: server.port)
      other.send(post("/", 2))
      #expect(other.exchange("hi", endingIn: "<hi>").statuses == [200])
      #expect(other.exchange(get("/"), endingIn: ">").statuses == [200])
    }
  }

  @Test(arguments: [16_777_217, 1 << 32, .max - 1, .max])
  func `content beyond the limit gives 413 even without room`(length: Int) throws {
    try withHalfFullServer { server, _, _ in
      for pieces in [1, 2] {
        let client = Client(port: server.port)
        let head = post("/", length)
        if pieces == 2 { client.send(String(head.prefix(20))) }
        client.send(String(head.dropFirst(pieces == 2 ? 20 : 0)))
        #expect(client.read(endingIn: "}").statuses == [413])
      }
    }
  }

  @Test func `chunked content is refused when memory runs out`() throws {
    try withHalfFullServer { server, _, _ in
      let client = Client(port: server.port)
      client.send("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<100 {
        client.send("EA60\r\n")
        client.send(Self.content)
        client.send("\r\n")
      }
      #expect(client.read(endingIn: "}").statuses == [503])
    }
  }

  @Test func `only vital requests are answered when memory is used up`() throws {
    let metrics = ServerMetrics()
    try withHalfFullServer(metrics) { server, held, clients in
      for index in 2..<4 {
        clients[index].send(post("/late/\(index)", 60_000))
        clients[index].send(Self.content)
        #expect(held[index].waitForStart())
      }
      let other = Client(port: server.port)
      #expect(other.exchange(get("/"), endingIn: "}").statuses == [503])
      #expect(other.exchange(get("/vital"), endingIn: ">").statuses == [200])
      #expect(other.exchange(get("/"), endingIn: "}").statuses == [503])
      for index in 0..<4 {
        held[index].give(.answer(Response(.ok, body: Array("<>".utf8))))
        #expect(clients[index].read(endingIn: ">").statuses == [200])
      }
      #expect(other.exchange(get("/"), endingIn: ">").statuses == [200])
      var writer = MetricsWriter()
      metrics.write(to: &writer)
      let read = try Exposition(String(decoding: writer.finish(), as: UTF8.self))
      #expect(read.samples["tree_server_buffered_bytes"] == 0)
      #expect(read.samples["tree_server_requests_shed_total"] == 2)
    }
  }

  @Test func `memory held for a client is freed when it disconnects`() throws {
    try withHalfFullServer { server, _, clients in
      for client in clients.prefix(2) { client.reset() }
      var last: [Int] = []
      for _ in 0..<10_000 where last != [200] {
        let client = Client(port: server.port)
        client.send(post("/", 900_000))
        client.send([UInt8](repeating: 0x78, count: 900_000))
        last = client.read { $0.last == 0x3E || $0.last == 0x7D }.text.statuses
      }
      #expect(last == [200])
    }
  }

  @Test func `a stalled reader is reset to make room`() throws {
    try withServer(
      handler: BulkHandler(count: 20_000_000),
      loops: 1,
      options: { $0.maxBufferedBytes = 1_000_000 }
    ) { server in
      let stuck = Client(port: server.port, receiveBufferBytes: 4_096)
      stuck.send(get("/"))
      #expect(!stuck.poll(milliseconds: 5_000).isEmpty)
      var last: [Int] = []
      for _ in 0..<100_000 where last != [200] {
        let client = Client(port: server.port)
        client.send("HEAD / HTTP/1.1\r\n\(host)\r\n")
        last = client.read(endingIn: "\r\n\r\n").statuses
        #expect(last == [200] || last == [503])
      }
      #expect(last == [200])
      #expect(stuck.waitForReset())
    }
  }

  /// Incomplete requests that hold all memory for some time.
  @Test(arguments: [1, 2], ["A: ", "\(host)Content-Length: 100000\r\n\r\n"])
  func `incomplete requests are given up to make room`(
    loops: Int,
    rest: String
  ) throws {
    try withServer(
      loops: loops,
      options: { $0.maxBufferedBytes = 1_000_000 },
      limits: { limits in
        limits.headerTimeoutMilliseconds = 3_600_000
        limits.bodyTimeoutMilliseconds = 3_600_000
      }
    ) { server in
      let part = "POST / HTTP/1.1\r\n" + rest
      let stuck = (0..<70).map { _ in Client(port: server.port) }
      for client in stuck {
        client.send(part)
        client.send([UInt8](repeating: 0x78, count: 20_000))
      }
      var last: [Int] = []
      for _ in 0..<100_000 where last != [200] {
        last = Client(port: server.port).exchange(get("/"), endingIn: ">").statuses
        #expect(last == [200] || last == [503])
      }
      #expect(last == [200])
      // There is room before all of them have received their response.
      let refused = stuck.count { $0.poll(milliseconds: 10).statuses == [503] }
      #expect(refused > 20 && refused < 70)
    }
  }
}
