import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Requests with a body that no handler reads.
struct UnreadBodyTests {
  private static let key = "0123456789abcdef"

  private static func withKeys(_ body: (UInt16) throws -> Void) throws {
    var options = TreeAPIOptions()
    try options.keys.add(lines: Array("k:\(key)".utf8))
    try withServer(TreeAPI(service: SessionStore(), options: options)) { try body($0) }
  }

  /// Requests whose body no handler reads, with the expected status.
  static let requests: [(HTTP.Method, String, Int)] = [
    (.post, "/nowhere", 404), (.put, "/v1/trees", 405), (.post, "/healthz", 405),
    (.get, "/healthz", 200), (.options, "/v1/sessions", 204), (.get, "/v1/trees", 200),
  ]

  @Test(arguments: requests)
  func `a small unread body keeps the connection open`(
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
  func `a large unread body ends the connection`(
    method: HTTP.Method,
    path: String,
    status: Int
  ) throws {
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
  func `an announced length over the limit is answered before the body arrives`(
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
  func `with Expect the error comes before the body, and with access keys always`(
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

  @Test func `a wrong host or an unknown method is answered before the body arrives`()
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
