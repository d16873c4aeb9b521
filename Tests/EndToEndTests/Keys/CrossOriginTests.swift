import Foundation
import HTTP
import TestSupport
import Testing

/// Answers to web pages of other origins.
struct CrossOriginTests {
  private static let key = "0123456789abcdef0123456789abcdef"
  private static let origin = "https://app.example"

  /// The requests and their expected statuses.
  private static let asks: [(ask: Ask, status: Int)] = [
    (Ask(.get, "/healthz"), 200), (Ask(.head, "/openapi.yaml"), 200),
    (Ask(.get, "/v1/trees"), 200), (Ask(.post, "/v1/sessions", "{}"), 201),
    (Ask(.post, "/v1/trees", #"{"tree":"a"}"#), 201), (Ask(.get, "/v1/trees/none"), 404),
    (Ask(.get, "/nothing"), 404), (Ask(.put, "/v1/trees", "{}"), 405),
    (Ask(.post, "/v1/sessions", "x", fields: [("Content-Type", "text/plain")]), 415),
    (Ask(.get, "/v1/trees", fields: [("Expect", "nothing")]), 417),
    (Ask(.get, "/v1/trees/a/export"), 200), (Ask(.delete, "/v1/trees/a"), 204),
  ]

  private func answers(
    _ arguments: [String],
    origin: String?,
    token: String = key
  ) throws -> [Answer] {
    let program = try Program(
      ["--port", "0"] + arguments,
      variables: ["TREE_SERVER_KEYS": "k:\(Self.key)"]
    )
    let access = SocketAccess(port: try program.waitForPort())
    return try Self.asks.map { ask, _ in
      var ask = ask
      if let origin { ask.fields.append(("Origin", origin)) }
      ask.fields.append(("Authorization", "Bearer " + token))
      return try access.send(ask)
    }
  }

  /// Returns the names of the CORS fields of an answer.
  private func names(_ answer: Answer) -> [String] {
    answer.fields.filter {
      $0.name.hasPrefix("Access-Control-") || $0.name == "Vary" && $0.value == "Origin"
    }.map(\.name)
  }

  @Test func `a listed origin may read every answer`() throws {
    let listed = ["--cors-origins", "http://other, \(Self.origin)"]
    let answers = try answers(listed, origin: Self.origin)
    for (answer, (ask, status)) in zip(answers, Self.asks) {
      #expect(answer.status == status, "\(ask.target)")
      #expect(answer["Access-Control-Allow-Origin"] == Self.origin, "\(ask.target)")
      #expect(names(answer).contains("Vary"))
      #expect(answer["Access-Control-Expose-Headers"]?.contains("ETag") == true)
      #expect(answer["Access-Control-Allow-Credentials"] == nil)
    }
    for answer in try self.answers(listed, origin: Self.origin, token: "unknown") {
      #expect(answer["Access-Control-Allow-Origin"] == Self.origin, "\(answer.status)")
    }
  }

  @Test func `other origins may read no answer, which varies by origin`() throws {
    for origin in ["https://evil.example", nil] {
      for answer in try answers(["--cors-origins", Self.origin], origin: origin) {
        #expect(names(answer) == ["Vary"])
      }
    }
  }

  @Test func `without a list no answer has CORS fields`() throws {
    for origin in [Self.origin, nil] {
      for answer in try answers([], origin: origin) { #expect(names(answer) == []) }
    }
  }

  @Test func `streams and deferred answers have CORS fields`() throws {
    let program = try Program(["--port", "0", "--cors-origins", Self.origin])
    let port = try program.waitForPort()
    let session = try RemoteSession(SocketAccess(port: port), "{}").path
    let fields = [("Origin", Self.origin)]
    let poll = Ask(.get, session + "/changes?since=0&wait=1", fields: fields)
    let held = try SocketAccess(port: port).send(poll)
    #expect(held.status == 200 && held["Access-Control-Allow-Origin"] == Self.origin)
    let connection = try BlockingConnection(port: port)
    let stream = Ask(
      .get,
      session + "/changes",
      fields: fields + [("Accept", "text/event-stream")]
    )
    try connection.send(stream.bytes)
    let head = try connection.receiveHead()
    #expect(head["Access-Control-Allow-Origin"] == Self.origin)
    #expect(
      head.fields.filter { $0.name == "Vary" }.map(\.value) == [
        "Accept, Prefer", "Accept-Encoding", "Origin",
      ]
    )
  }

  @Test func `listed host names are served and others refused`() throws {
    try expect(
      ["--allowed-hosts", "trees.example, [fe80::1]"],
      [
        "localhost": 200, "trees.example": 200, "TREES.example:80": 200, "[fe80::1]:8080": 200,
        "127.0.0.1": 200, "evil.example": 421, "a.trees.example": 421, "192.0.2.7": 421,
      ]
    )
  }

  @Test func `without keys, unlisted host names are refused on every interface`()
    throws
  {
    let remote = ["--host", "0.0.0.0", "--allow-unauthenticated-remote"]
    let hosts = ["localhost": 200, "192.0.2.7:80": 200, "[2001:db8::1]": 200, "evil.example": 421]
    try expect(remote, hosts.merging(["trees.example": 421]) { $1 })
    let listed = remote + ["--allowed-hosts", "trees.example"]
    try expect(listed, hosts.merging(["trees.example": 200]) { $1 })
  }

  @Test func `with keys and no list, every host name is served on a public interface`() throws {
    let keys = ["TREE_SERVER_KEYS": "k:\(Self.key)"]
    try expect(["--host", "0.0.0.0"], keys: keys, ["evil.example": 200, "192.0.2.7": 200])
    try expect([], keys: keys, ["localhost": 200, "evil.example": 421])
  }

  /// Expects that a program answers requests for each host with a status.
  private func expect(
    _ arguments: [String],
    keys: [String: String] = [:],
    _ hosts: [String: Int]
  ) throws {
    let program = try Program(["--port", "0"] + arguments, variables: keys)
    let port = try program.waitForPort()
    for (host, status) in hosts {
      let connection = try BlockingConnection(port: port)
      let head = "GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
      try connection.send(Array(head.utf8))
      #expect(try connection.receive().status == status, "\(host)")
    }
  }
}
