import Glibc
import HTTP
import TestSupport
import Testing

/// A stream as the `EventSource` of a browser has it.
///
/// A page follows a session and writes what its `EventSource` tells it as nodes of a session of
/// another service, the log. The test follows that one.
struct BrowserStreamTests {
  private static let page = """
    <script>
    const query = new URLSearchParams(location.search)
    const source = new EventSource(query.get("stream"))
    let last = Promise.resolve(), count = 0
    function tell(object) {
      const url = query.get("log") + "/nodes/" + count++
      const headers = {"Content-Type": "application/json"}
      const body = JSON.stringify({object})
      last = last.then(() => fetch(url, {method: "PUT", headers, body}))
    }
    source.onopen = () => tell({type: "open"})
    source.onerror = () => tell({type: "error", state: source.readyState})
    for (const type of ["changes", "reset", "end"]) {
      source.addEventListener(type, event => {
        tell({type, id: event.lastEventId, ...JSON.parse(event.data)})
      })
    }
    </script>
    """

  /// The page in a browser, and what it tells.
  private struct Watch {
    let browser: Browser
    let log: EventStreamClient

    /// Waits for what the page tells next: its type, and members that are asked for.
    func next(_ members: String...) throws -> String {
      guard let event = try log.next() else { throw WireError("the log has ended") }
      let object = try event.json()["changes"]?.elements?.first?["row"]?["object"]
      return (["type"] + members).map { name in
        object?[name].map { $0.string ?? $0.text } ?? "none"
      }.joined(separator: " ")
    }
  }

  /// Has the page follow a session.
  ///
  /// - Parameters:
  ///   - origin: The proxy, as the browser has it.
  ///   - stream: The stream, as the page has it.
  ///   - logPort: The port of the log's service, which the proxy has at `/log/`.
  private func watch(_ origin: String, _ stream: String, logPort: UInt16) throws -> Watch {
    let log = try RemoteSession(SocketAccess(port: logPort), "{}")
    let events = try EventStreamClient(port: logPort, log.path, query: "include=rows")
    let url = "\(origin)/page.html?log=/log\(log.path)&stream=\(stream)"
    return Watch(browser: try Browser(url), log: events)
  }

  private static let isPossible = NginxProxy.isInstalled && Browser.isInstalled

  @Test(
    .enabled(if: isPossible, "nginx, openssl or chromium is not installed"),
    arguments: [false, true]
  )
  func `through nginx each event comes, and after the session's end the browser stops`(
    isSecure: Bool
  ) throws {
    let program = try Program(["--port", "0", "--storage", "memory"])
    let port = try program.waitForPort()
    let session = try RemoteSession(SocketAccess(port: port), "{}")
    let proxy = try NginxProxy(
      ["/": port, "/log/": port],
      pages: ["page.html": Self.page]
    )
    let origin =
      isSecure ? "https://127.0.0.1:\(proxy.securePort)" : "http://127.0.0.1:\(proxy.port)"
    let watch = try watch(origin, session.path + "/changes", logPort: port)
    #expect(try watch.next() == "open")
    for revision in 1...5 {
      try session.apply(#"[{"op":"insert","key":"\#(revision)"}]"#)
      #expect(try watch.next("id", "origin") == "changes \(revision) own")
    }
    #expect(try session.send(Ask(.delete, "")).status == 204)
    #expect(try watch.next("id", "code") == "end 5 session-not-found")
    // The page does not close it: the browser comes again, is refused, and stops.
    #expect(try watch.next("state") == "error 0")
    #expect(try watch.next("state") == "error 2")
  }

  @Test(.enabled(if: isPossible, "nginx, openssl or chromium is not installed"))
  func `after a restart the browser goes on after the last event it got`() throws {
    let folder = try TemporaryFolder()
    let logProgram = try Program(["--port", "0", "--storage", "memory"])
    let logPort = try logProgram.waitForPort()
    let proxy = try NginxProxy(["/log/": logPort], pages: ["page.html": Self.page])
    let origin = "http://127.0.0.1:\(proxy.port)"
    let arguments = ["--data", folder.path + "/trees", "--cors-origins", origin]
    let first = try Program(["--port", "0"] + arguments)
    let port = try first.waitForPort()
    let session = try RemoteSession(SocketAccess(port: port), "{}")
    let watch = try watch(
      origin,
      "http://127.0.0.1:\(port)\(session.path)/changes",
      logPort: logPort
    )
    #expect(try watch.next() == "open")
    try session.apply(#"[{"op":"insert","key":"a"}]"#)
    #expect(try watch.next("id") == "changes 1")
    // The stream is told before the service stops to listen.
    first.send(SIGTERM)
    #expect(try watch.next("id", "code") == "end 1 shutting-down")
    #expect(try first.waitForEnd().status == 0)
    let second = try Program(["--port", "\(port)"] + arguments)
    _ = try second.waitForPort()
    try RemoteSession(SocketAccess(port: port), at: session.path)
      .apply(#"[{"op":"insert","key":"b"}]"#)
    var told = try watch.next("state")
    while told == "error 0" { told = try watch.next("state") }
    #expect(told == "open none")
    #expect(try watch.next("id", "previousRevision") == "changes 2 1")
  }
}
