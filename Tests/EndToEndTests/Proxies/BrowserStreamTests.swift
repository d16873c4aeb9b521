import Glibc
import HTTP
import TestSupport
import Testing

/// An event stream read by the `EventSource` of a browser.
///
/// A page follows a session, and records what its `EventSource` receives. The records are nodes in
/// a session of another service, the log, which the test follows.
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

  /// The page in a browser, and the log of its events.
  private struct Watch {
    let browser: Browser
    let log: EventStreamClient

    /// Waits for the next record, and returns its type and the named members.
    func next(_ members: String...) throws -> String {
      guard let event = try log.next() else { throw WireError("the log has ended") }
      let object = try event.json()["changes"]?.elements?.first?["row"]?["object"]
      return (["type"] + members).map { name in
        object?[name].map { $0.string ?? $0.text } ?? "none"
      }.joined(separator: " ")
    }
  }

  /// Opens the page, which follows a session.
  ///
  /// - Parameters:
  ///   - origin: The origin of the proxy.
  ///   - stream: The URL of the stream.
  ///   - logPort: The port of the log's service, which the proxy serves below `/log/`.
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
  func `through nginx every event arrives, and after the end event the browser stops`(
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
    // The page does not close the source: the browser reconnects, is refused, and stops.
    #expect(try watch.next("state") == "error 0")
    #expect(try watch.next("state") == "error 2")
  }

  @Test(.enabled(if: isPossible, "nginx, openssl or chromium is not installed"))
  func `after a restart the browser continues after the last event it received`() throws {
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
    // The end event is sent before the service stops listening.
    first.send(SIGTERM)
    #expect(try watch.next("id", "code") == "end 1 shutting-down")
    #expect(try first.waitForEnd().status == 0)
    let second = try Program(["--port", "\(port)"] + arguments)
    _ = try second.waitForPort()
    try RemoteSession(SocketAccess(port: port), at: session.path)
      .apply(#"[{"op":"insert","key":"b"}]"#)
    var record = try watch.next("state")
    while record == "error 0" { record = try watch.next("state") }
    #expect(record == "open none")
    #expect(try watch.next("id", "previousRevision") == "changes 2 1")
  }
}
