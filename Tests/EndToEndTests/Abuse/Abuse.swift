import Glibc
import HTTP
import TestSupport

/// Attacks by a client that opens many connections at once.
///
/// An attack is over when the service has closed all of its connections.
enum Abuse: CaseIterable {
  case halfHeads, headTrickle, contentTrickle, endlessHead, endlessExtensions, endlessTrailers
  case endlessContent, unreadAnswers, idleConnections, resets, vanishedWatchers

  /// The number of connections of an attack.
  static let connections = 20

  /// Settings with short timeouts, so that the service ends each attack soon.
  static let settings = [
    "--header-timeout-seconds", "1", "--body-timeout-seconds", "1", "--idle-timeout-seconds", "1",
    "--write-stall-seconds", "1", "--heartbeat-seconds", "1", "--max-body-bytes", "200000",
  ]

  /// Runs the attack and checks the answers.
  ///
  /// - Parameters:
  ///   - port: The port of the service.
  ///   - session: The path of a session.
  func commit(_ port: UInt16, _ session: String) throws {
    let connections = try (0..<Self.connections).map { _ in try BlockingConnection(port: port) }
    switch self {
    case .halfHeads: try end(connections, saying: 408, after: "GET / HTTP/1.1\r\nHost: l")
    case .headTrickle: try trickle(connections, after: "GET / HTTP/1.1\r\nA: ")
    case .contentTrickle: try trickle(connections, after: Self.post("Content-Length: 100000"))
    case .endlessHead:
      let lines = String(repeating: "A: b\r\n", count: 20_000)
      try end(connections, saying: 431, after: "GET / HTTP/1.1\r\n" + lines)
    case .endlessExtensions:
      let extensions = String(repeating: ";a=b", count: 20_000)
      try end(connections, saying: 431, after: Self.post(Self.chunked) + "1" + extensions)
    case .endlessTrailers:
      let lines = String(repeating: "A: b\r\n", count: 20_000)
      try end(connections, saying: 431, after: Self.post(Self.chunked) + "0\r\n" + lines)
    case .endlessContent:
      let chunks = String(repeating: "5\r\nhello\r\n", count: 50_000)
      try end(connections, saying: 413, after: Self.post(Self.chunked) + chunks)
    case .unreadAnswers: try leaveUnread(connections)
    case .idleConnections: try end(connections, saying: nil, after: "")
    case .resets: try reset(connections)
    case .vanishedWatchers: try vanish(connections, session)
    }
  }

  private static let chunked = "Transfer-Encoding: chunked"

  private static func post(_ framing: String) -> String {
    "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "\(framing)\r\n\r\n"
  }

  /// Sends a text on each connection, and expects the status and the end of the connection.
  private func end(
    _ connections: [BlockingConnection],
    saying status: Int?,
    after text: String
  ) throws {
    for connection in connections { try connection.send(text.utf8) }
    for connection in connections {
      if let status {
        let answer = try connection.receive()
        guard answer.status == status, answer["Connection"] == "close" else {
          throw WireError("\(self): \(answer)")
        }
      }
      guard try connection.waitForEnd() else { throw WireError("\(self): no end") }
    }
  }

  /// Sends single bytes within every timeout, until the service answers that the request is too
  /// slow.
  private func trickle(_ connections: [BlockingConnection], after text: String) throws {
    for connection in connections { try connection.send(text.utf8) }
    for _ in 0..<10_000 where !connections.allSatisfy(\.hasNews) {
      for connection in connections where !connection.hasNews { try connection.send("a".utf8) }
      usleep(10_000)
    }
    try end(connections, saying: 408, after: "")
  }

  /// Sends requests whose answers would be 600 MB, and reads none of them.
  private func leaveUnread(_ connections: [BlockingConnection]) throws {
    let requests = Array(repeating: Ask(.get, "/openapi.yaml").bytes, count: 200).joined()
    for connection in connections { try connection.send(requests) }
    for connection in connections { connection.waitForReset() }
  }

  /// Resets each connection in the middle of a request or an answer.
  private func reset(_ connections: [BlockingConnection]) throws {
    let beginnings = [
      "", "GET /", Self.post("Content-Length: 10"),
      String(repeating: "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 20),
    ]
    for (index, connection) in connections.enumerated() {
      try connection.send(beginnings[index % beginnings.count].utf8)
      connection.resetAtEnd()
    }
  }

  /// Opens an event stream on each connection, and abandons it.
  private func vanish(_ connections: [BlockingConnection], _ session: String) throws {
    let ask = Ask(.get, session + "/changes", fields: [("Accept", "text/event-stream")])
    for connection in connections { try connection.send(ask.bytes) }
    for connection in connections {
      let head = try connection.receiveHead()
      guard head.status == 200 else { throw WireError("\(self): \(head)") }
    }
  }
}
