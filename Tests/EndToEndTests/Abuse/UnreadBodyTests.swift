import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Bodies that nothing reads.
struct UnreadBodyTests {
  private static let key = "0123456789abcdef"

  private static func withKeys(_ body: (UInt16) throws -> Void) throws {
    var options = TreeAPIOptions()
    try options.keys.add(lines: Array("k:\(key)".utf8))
    try withServer(TreeAPI(service: SessionStore(), options: options)) { try body($0) }
  }

  /// Requests with nothing that reads their body, and what they are answered with.
  static let requests: [(HTTP.Method, String, Int)] = [
    (.post, "/nowhere", 404), (.put, "/v1/trees", 405), (.post, "/healthz", 405),
    (.get, "/healthz", 200), (.options, "/v1/sessions", 204), (.get, "/v1/trees", 200),
  ]

  @Test(arguments: requests)
  func `a little passes, and the connection goes on`(
    method: HTTP.Method,
    path: String,
    status: Int
  ) throws {
    try withServer { port in
      let connection = try BlockingConnection(port: port)
      let ask = Ask(method, path, [UInt8](repeating: 0x78, count: 60_000))
      for bytes in [ask.bytes, ask.bytes(chunkedBy: 1_000)] {
        try connection.send(bytes)
        let answer = try connection.receive()
        #expect(answer.status == status && answer["Connection"] == nil)
      }
      try connection.send(Ask(.get, "/healthz").bytes)
      #expect(try connection.receive().status == 200)
    }
  }

  @Test(arguments: requests)
  func `much ends the connection`(method: HTTP.Method, path: String, status: Int) throws {
    try withServer { port in
      let ask = Ask(method, path, [UInt8](repeating: 0x78, count: 200_000))
      for bytes in [ask.bytes, ask.bytes(chunkedBy: 1_000)] {
        let connection = try BlockingConnection(port: port)
        try connection.send(bytes)
        let answer = try connection.receive()
        #expect(answer.status == (status < 400 ? 413 : status))
        #expect(try answer["Connection"] == "close" && connection.waitForEnd())
      }
    }
  }

  @Test(
    arguments: requests + [(.post, "/v1/sessions", 415), (.patch, "/v1/sessions/none", 415)]
  )
  func `who only announces too much is answered at once, whatever the answer`(
    method: HTTP.Method,
    path: String,
    status: Int
  ) throws {
    try withServer { port in
      var ask = Ask(method, path, [0x78])
      ask.fields.append(("Content-Type", "text/plain"))
      let connection = try BlockingConnection(port: port)
      try connection.send(ask.head(framing: "Content-Length: 65537"))
      let answer = try connection.receive()
      #expect(answer.status == (status < 400 ? 413 : status))
      #expect(answer["Connection"] == "close")
    }
  }

  @Test(arguments: requests.filter { $0.2 >= 400 })
  func `who waits for leave to send is told at once, and with keys everybody`(
    method: HTTP.Method,
    path: String,
    status: Int
  ) throws {
    var ask = Ask(method, path, [0x78])
    ask.fields.append(("Expect", "100-continue"))
    try withServer { port in
      let connection = try BlockingConnection(port: port)
      try connection.send(ask.head(framing: "Content-Length: 1"))
      #expect(try connection.receive(orInterim: true).status == status)
    }
    ask.fields.removeLast()
    try Self.withKeys { port in
      let connection = try BlockingConnection(port: port)
      try connection.send(ask.head(framing: "Content-Length: 1"))
      #expect(try connection.receive().status == status)
    }
  }

  @Test func `who is elsewhere, or speaks another language, is told so before it has sent all`()
    throws
  {
    try withServer { port in
      for (head, status) in [
        ("POST / HTTP/1.1\r\nHost: evil.test\r\n", 421),
        ("BREW / HTTP/1.1\r\nHost: localhost\r\n", 501),
      ] {
        let connection = try BlockingConnection(port: port)
        try connection.send("\(head)Content-Length: 10000000\r\n\r\n".utf8)
        let answer = try connection.receive()
        #expect(answer.status == status && answer["Connection"] == "close")
      }
    }
  }
}
