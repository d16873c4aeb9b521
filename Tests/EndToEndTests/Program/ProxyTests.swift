import Glibc
import HTTP
import TestSupport
import Testing

/// The proxy sites of `Config`, with the program behind them.
@Suite(.enabled(if: Tool.isInstalled("openssl"), "openssl is not installed"))
struct ProxyTests {
  private func program() throws -> (Program, UInt16) {
    let program = try Program(
      ["--port", "0", "--storage", "memory", "--allowed-hosts", Proxy.name]
    )
    return (program, try program.waitForPort())
  }

  @Test(.enabled(if: Tool.isInstalled("nginx"), "nginx is not installed"))
  func `nginx speaks HTTP/2, forwards paths unchanged, and events at once`() throws {
    try expectPassing(.nginx)
  }

  @Test(.enabled(if: Tool.isInstalled("caddy"), "caddy is not installed"))
  func `Caddy speaks HTTP/2, forwards paths unchanged, and events at once`() throws {
    try expectPassing(.caddy)
  }

  private func expectPassing(_ kind: Proxy.Kind) throws {
    let (program, port) = try program()
    let proxy = try Proxy(kind, to: port)
    let session = try RemoteSession(SocketAccess(port: port), #"{"expansion":"all"}"#).path
    try expectPaths(of: session, through: proxy)
    try expectEvents(of: session, through: proxy)
    // Connections to the program are reused.
    let before = try accepted(port)
    for _ in 0..<12 {
      #expect(try Curl(proxy.curl(session)).head.hasPrefix("HTTP/2 200"))
    }
    #expect(try accepted(port) - before < 6)
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  /// Expects that nodes are reached by paths that a proxy could misread.
  private func expectPaths(of session: String, through proxy: Proxy) throws {
    let json = ["-H", "Content-Type: application/json", "--data-binary", "{}", "-X", "PUT"]
    let keys = [
      ("docs", "docs"), ("docs%2Fchildren", "docs/children"), ("a%2F%2Fb", "a//b"),
      ("100%25%2B+", "100%++"),
    ]
    for (path, _) in keys {
      let made = try Curl(proxy.curl("\(session)/nodes/\(path)", json))
      #expect(made.head.hasPrefix("HTTP/2 201"), "\(path): \(made.head)")
    }
    for (path, key) in keys {
      let found = try Curl(proxy.curl("\(session)/nodes/\(path)?fields=key"))
      #expect(String(decoding: found.content, as: UTF8.self).contains(#""key":"\#(key)""#))
    }
  }

  /// Expects that events arrive while the stream continues.
  private func expectEvents(of session: String, through proxy: Proxy) throws {
    let stream = try CurlStream(
      proxy.curl("\(session)/changes", ["-H", "Accept: text/event-stream"])
    )
    defer { stream.end() }
    try stream.wait(for: "retry:")
    for number in 0..<3 {
      let write = ["-X", "PUT", "-H", "Content-Type: application/json", "--data-binary", "{}"]
      let made = try Curl(proxy.curl("\(session)/nodes/event\(number)", write))
      #expect(made.head.hasPrefix("HTTP/2 201"))
      try stream.wait(for: "event: changes\n")
      try stream.wait(for: #""key":"event\#(number)""#)
    }
    #expect(stream.text.hasPrefix("HTTP/2 200"))
  }

  /// Returns the number of connections that the program has accepted.
  private func accepted(_ port: UInt16) throws -> Double {
    let answer = try SocketAccess(port: port).send(Ask(.get, "/metrics"))
    let figures = try Exposition(answer.text)
    return try #require(figures.samples["tree_server_connections_accepted_total"])
  }
}
