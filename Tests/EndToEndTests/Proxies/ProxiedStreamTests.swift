import HTTP
import TestSupport
import Testing

/// Event streams through a proxy with default settings.
struct ProxiedStreamTests {
  /// A kind of client of the proxy.
  struct Client: CustomTestStringConvertible {
    let isSecure: Bool
    let version: String
    let arguments: [String]

    var testDescription: String { "HTTP/\(version) \(arguments.joined(separator: " "))" }

    static let all = [
      Client(isSecure: false, version: "1.1", arguments: []),
      Client(isSecure: false, version: "1.1", arguments: ["--compressed"]),
      Client(isSecure: true, version: "2", arguments: ["--http2", "-k"]),
      Client(isSecure: true, version: "2", arguments: ["--http2", "-k", "--compressed"]),
    ]
  }

  /// Awaits each event before the next is caused. A proxy that buffers events stops the test.
  @Test(
    .enabled(if: NginxProxy.isInstalled, "nginx or openssl is not installed"),
    arguments: Client.all
  )
  func `the beginning and each event pass nginx without delay`(client: Client) throws {
    let program = try Program(["--port", "0", "--storage", "memory"])
    let upstream = try program.waitForPort()
    let proxy = try NginxProxy(["/": upstream])
    let session = try RemoteSession(SocketAccess(port: upstream), "{}")
    let url =
      client.isSecure
      ? "https://127.0.0.1:\(proxy.securePort)" : "http://127.0.0.1:\(proxy.port)"
    let accept = ["-H", "Accept: text/event-stream"]
    let stream = try CurlStream(client.arguments + accept + ["\(url)\(session.path)/changes"])
    defer { stream.end() }
    try stream.wait(for: "retry: ")
    let head = stream.text.lowercased()
    #expect(head.hasPrefix("http/\(client.version) 200"))
    #expect(head.contains("cache-control: no-store, no-transform\r\n"))
    #expect(head.contains("content-encoding: gzip") == client.arguments.contains("--compressed"))
    for revision in 1...20 {
      try session.apply(#"[{"op":"insert","key":"\#(revision)"}]"#)
      try stream.wait(for: "id: \(revision)\ndata: {")
      try stream.wait(for: "}\n\n")
    }
    #expect(try session.send(Ask(.delete, "")).status == 204)
    try stream.wait(for: "event: end\ndata: {\"code\":\"session-not-found\"")
  }

  /// Sends a request as nginx does by default.
  @Test func `a client of HTTP/1.0 gets a stream without chunks until the connection ends`()
    throws
  {
    try withServer { port in
      let session = try RemoteSession(SocketAccess(port: port), "{}")
      let connection = try BlockingConnection(port: port)
      let lines = [
        "GET \(session.path)/changes HTTP/1.0", "Host: localhost", "Connection: close",
        "Accept: text/event-stream", "", "",
      ]
      try connection.send(lines.joined(separator: "\r\n").utf8)
      let head = try connection.receiveHead()
      #expect(head.status == 200 && head["Transfer-Encoding"] == nil)
      #expect(head["Content-Length"] == nil && head["Connection"] == "close")
      var events = ServerSentEvents()
      for revision in 1...3 {
        try session.apply(#"[{"op":"insert","key":"\#(revision)"}]"#)
        while events.events.count < revision { events.read(try connection.receivePiece()) }
        #expect(events.lastID == "\(revision)")
      }
      #expect(try session.send(Ask(.delete, "")).status == 204)
      var piece = try connection.receivePiece()
      while !piece.isEmpty {
        events.read(piece)
        piece = try connection.receivePiece()
      }
      #expect(events.events.map(\.type) == ["changes", "changes", "changes", "end"])
    }
  }
}
