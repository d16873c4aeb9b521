#if canImport(FoundationNetworking)
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TreeClient

@Suite(.timeLimit(.minutes(20))) struct `A transport over libcurl` {
  private func transport() throws -> CurlTransport {
    try #require(CurlTransport(), "libcurl is not installed")
  }

  private func request(_ path: String, at address: String) throws -> TreeRequest {
    TreeRequest(method: "GET", url: try #require(URL(string: address + path)))
  }

  @Test func `takes a connection for lost that ends anywhere in an answer`() async throws {
    let service = try await Service()
    let limit = Limit()
    let proxy = try LoopbackProxy(to: service.port) { bytes, direction, line in
      direction == .answers ? limit.cut(bytes, line) : bytes
    }
    let transport = try transport()
    let request = try request("/healthz", at: "http://127.0.0.1:\(proxy.port)")
    let whole = try await transport.send(request)
    #expect(whole.status == 200)
    let content = try await whole.collected()
    let count = limit.seen
    #expect(count > content.count + 50)
    for place in stride(from: 0, to: count, by: 9) {
      limit.set(place)
      await #expect(throws: (any Error).self, "after \(place) bytes") {
        let response = try await transport.send(request)
        _ = try await response.collected()
      }
    }
    limit.set(.max)
    #expect(try await transport.send(request).collected() == content)
  }

  @Test func `sends and receives what the service can`() async throws {
    let service = try await Service()
    let client = try service.client(try transport())
    // Large enough to be compressed, and to come in many pieces.
    let text = String(repeating: "a tree ", count: 100_000)
    let session = try await client.createSession(NewSession(nodes: ["root"]))
    let node = NewNode("child", object: .string(text))
    _ = try await session.batch([.insert(node, into: "root"), .expandAll])
    let rows = try await session.rows().rows
    #expect(rows.map(\.key) == ["root", "child"] && rows[1].object == .string(text))
    _ = try await session.remove("root")
    #expect(try await session.rows().rowCount == 0)
    await #expect(throws: TreeProblem.self) { _ = try await session.toggle("root") }
  }

  @Test func `ends a request whose caller wants no more`() async throws {
    let service = try await Service()
    let transport = try transport()
    let client = try service.client()
    let session = try await client.createSession(NewSession(nodes: ["root"]))
    let path = "/v1/sessions/\(session.id)/changes"
    var request = try request(path, at: service.address)
    request.headers = ["Accept": "text/event-stream"]
    if let secret = session.secret { request.headers["Authorization"] = "Bearer \(secret)" }
    var response: TreeResponse? = try await transport.send(request)
    #expect(response?.header("content-type")?.hasPrefix("text/event-stream") == true)
    response = nil
    let task = Task { [request] in try await transport.send(request) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test func `ends its requests with itself`() async throws {
    let service = try await Service()
    let client = try service.client()
    let session = try await client.createSession(NewSession(nodes: ["root"]))
    var transport: CurlTransport? = try transport()
    var request = try request("/v1/sessions/\(session.id)/changes", at: service.address)
    request.headers = ["Accept": "text/event-stream"]
    let response = try #require(try await transport?.send(request))
    transport = nil
    await #expect(throws: CancellationError.self) { _ = try await response.collected() }
  }

  @Test func `refuses a field with a line break`() async throws {
    let transport = try transport()
    var request = try request("/healthz", at: "http://127.0.0.1:1")
    request.headers["Authorization"] = "Bearer a\r\nHost: b"
    let problem = await #expect(throws: TreeProblem.self) { _ = try await transport.send(request) }
    #expect(problem?.isRetryable == false)
  }
}

/// The number of bytes of an answer after which a connection ends.
private final class Limit: Sendable {
  private let state = Mutex((limit: Int.max, seen: 0))

  /// The number of bytes of the first answer.
  var seen: Int { state.withLock { $0.seen } }

  func set(_ limit: Int) { state.withLock { $0.limit = limit } }

  func cut(_ bytes: [UInt8], _ line: LoopbackProxy.Line) -> [UInt8] {
    let limit = state.withLock { state in
      if state.limit == .max && state.seen == 0 { state.seen = bytes.count }
      return state.limit
    }
    guard bytes.count > limit else { return bytes }
    // The bytes before are forwarded first.
    Task {
      try await Task.sleep(for: .milliseconds(20))
      line.end()
    }
    return Array(bytes.prefix(limit))
  }
}
#endif
