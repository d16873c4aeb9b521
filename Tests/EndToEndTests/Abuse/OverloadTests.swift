import Dispatch
import HTTP
import HTTPServer
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

/// Answers while all workers are busy and the queue is full.
struct OverloadTests {
  /// Runs the body with a service whose only worker is blocked.
  private func withBusyWorkers(_ body: (UInt16) throws -> Void) throws {
    let workers = try Scheduler(permits: 1, maxQueued: 1)
    defer { workers.stop() }
    let api = TreeAPI(
      service: SessionStore(),
      isBusy: { workers.isFull },
      run: { item in workers.submit(WorkOwner()) { _ in item.run(UnscheduledSlot()) } }
    )
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    defer { mayEnd.signal() }
    try #require(
      workers.submit(WorkOwner()) { _ in
        hasBegun.signal()
        mayEnd.wait()
      }
    )
    hasBegun.wait()
    try #require(workers.submit(WorkOwner()) { _ in })
    try withServer(api) { try body($0) }
  }

  @Test func `large bodies are refused before they are read, and small requests are served`() throws
  {
    try withBusyWorkers { port in
      let access = SocketAccess(port: port)
      for framing in ["Content-Length: 1000000", "Transfer-Encoding: chunked"] {
        for path in ["/v1/sessions", "/v1/trees"] {
          var ask = Ask(.post, path, [0x20])
          ask.fields.append(("Expect", "100-continue"))
          let connection = try BlockingConnection(port: port)
          try connection.send(ask.head(framing: framing))
          let answer = try connection.receive(orInterim: true)
          try expectProblem(answer, 503, "overloaded", [:])
          #expect(answer["Retry-After"] == "1" && answer["Connection"] == "close")
        }
      }
      #expect(try access.send(Ask(.get, "/healthz")).status == 200)
      // Requests that need no worker succeed.
      let session = try RemoteSession(access, Sample.options)
      #expect(try access.send(Ask(.get, session.path + "/rows")).status == 200)
    }
  }
}
