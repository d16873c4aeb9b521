import Foundation
import Synchronization
import Testing

@testable import TreeClient

/// An answer that describes a tree.
private let tree = #"{"tree": "a", "revision": 0, "nodeCount": 0, "sections": [], "sort": []}"#

@Suite struct `Requests` {
  @Test func `of writes carry a key, the same in each retry and another in each call`() async throws
  {
    let transport = FakeTransport { _, count in
      count == 1 ? .problem(503, "overloaded") : .json(tree)
    }
    let client = try client(transport)
    _ = try await client.createTree(NewTree("a"))
    _ = try await client.createTree(NewTree("b"))
    let keys = transport.sent.map { $0.headers["Idempotency-Key"] }
    #expect(keys.count == 3 && keys[0]?.isEmpty == false)
    #expect(keys[0] == keys[1] && keys[0] != keys[2])
  }

  @Test func `of reads carry no key`() async throws {
    let transport = FakeTransport { _, _ in
      .json(
        #"{"revision": 1, "rowCount": 0, "offset": 0, "ancestors": [], "rows": [], "nodes": []}"#
      )
    }
    let session = TreeSession(try client(transport), id: "s_1")
    _ = try await session.rows()
    _ = try await session.getNodes(["a"])
    let keys = transport.sent.compactMap { $0.headers["Idempotency-Key"] }
    #expect(keys.isEmpty)
    #expect(await session.revision == 1)
  }

  /// A failure after which a request is sent again.
  enum Passing: CaseIterable, Sendable {
    case overloaded, internalError, tooManyRequests, timeout, lost, cutOff

    func answer() throws -> TreeResponse {
      switch self {
      case .overloaded: .problem(503, "overloaded")
      case .internalError: .json("<html>", status: 500)
      case .tooManyRequests: .problem(429, "too-many-requests")
      // The request did not arrive as a whole.
      case .timeout: .problem(408, "request-timeout")
      case .lost: throw NetworkLost()
      case .cutOff: .json(#"{"tree": "a", "revi"#)
      }
    }
  }

  @Test(arguments: Passing.allCases)
  func `are sent again with full jitter, from 1 s doubling to 32 s`(failure: Passing) async throws {
    let clock = FakeClock(draw: 0.5)
    let transport = FakeTransport { _, _ in try failure.answer() }
    let client = try client(transport, clock)
    let problem = await #expect(throws: TreeProblem.self) { _ = try await client.getTree("a") }
    #expect(problem?.isRetryable == true)
    #expect(transport.sent.count == 7)
    #expect(clock.waits == [0.5, 1, 2, 4, 8, 16])
    let patient = FakeClock(draw: 1)
    let options = ReadOptions(request: RequestOptions(attempts: 9))
    _ = try? await TreeClientTests.client(transport, patient).getTree("a", options)
    #expect(patient.waits == [1, 2, 4, 8, 16, 32, 32, 32])
  }

  @Test func `wait for as long as the service says`() async throws {
    let clock = FakeClock(draw: 0)
    let transport = FakeTransport { _, count in
      guard count == 1 else { return .json(tree) }
      return .problem(429, "too-many-requests", headers: ["retry-after": "7"])
    }
    _ = try await client(transport, clock).getTree("a")
    #expect(clock.waits == [7])
  }

  @Test(arguments: [400, 401, 403, 404, 409, 410, 412, 413, 416, 422])
  func `that are refused are told at once, as they were`(status: Int) async throws {
    let transport = FakeTransport { _, _ in
      .problem(status, "some-code", #", "operation": 3, "key": "k", "new": [1]"#)
    }
    let session = TreeSession(try client(transport), id: "s_1")
    let problem = await #expect(throws: TreeProblem.self) { try await session.batch([.expandAll]) }
    #expect(problem?.status == status && problem?.code == "some-code")
    #expect(problem?.operation == 3 && problem?.key == "k" && problem?.detail == "some-code.")
    #expect(problem?.isRetryable == false)
    #expect(transport.sent.count == 1)
  }

  @Test(arguments: [false, true])
  func `whose refusal is cut off are sent again`(breaksVisibly: Bool) async throws {
    let transport = FakeTransport { _, count in
      let whole = TreeResponse.problem(410, "history-expired", #", "revision": 7"#)
      guard count == 1 else { return whole }
      let (body, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
      pieces.yield(Data(#"{"status": 410, "code": "hist"#.utf8))
      pieces.finish(throwing: breaksVisibly ? NetworkLost() : nil)
      let type = ["Content-Type": "application/problem+json"]
      return TreeResponse(status: 410, headers: type, body: body)
    }
    let session = TreeSession(try client(transport), id: "s_1")
    let problem = await #expect(throws: TreeProblem.self) {
      _ = try await session.followChanges(since: 1)
    }
    #expect(problem?.code == "history-expired" && problem?.revision == 7)
    #expect(transport.sent.count == 2)
  }

  @Test func `whose answer has another form are not sent again`() async throws {
    let transport = FakeTransport { _, _ in .json(#"{"tree": 1}"#) }
    let client = try client(transport)
    let problem = await #expect(throws: TreeProblem.self) { _ = try await client.getTree("a") }
    #expect(problem?.code == "unexpected-answer" && transport.sent.count == 1)
  }

  @Test func `that hang are sent again`() async throws {
    let transport = FakeTransport { _, count in
      if count == 1 { try await Task.sleep(for: .seconds(3600)) }
      return .json(tree)
    }
    var options = ReadOptions(request: RequestOptions(attempts: .max))
    options.request.timeout = .milliseconds(200)
    #expect(try await client(transport).getTree("a", options).tree == "a")
    #expect(transport.sent.count >= 2)
  }

  @Test func `end with their task, while they are sent and while they wait`() async throws {
    let isSent = Gate()
    let hanging = try client(
      FakeTransport { _, _ in
        isSent.open()
        try await Task.sleep(for: .seconds(3600))
        return .json(tree)
      }
    )
    let first = Task { try await hanging.getTree("a") }
    await isSent.wait()
    first.cancel()
    await #expect(throws: CancellationError.self) { _ = try await first.value }

    let isRefused = Gate()
    var options = ReadOptions(request: RequestOptions(attempts: .max))
    options.request.onRetry = { _ in isRefused.open() }
    let refused = TreeClient(
      hanging.baseURL,
      nil,
      FakeTransport { _, _ in .problem(503, "overloaded") },
      [],
      Pacing(sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
    )
    let second = Task { [options] in try await refused.getTree("a", options) }
    await isRefused.wait()
    second.cancel()
    await #expect(throws: CancellationError.self) { _ = try await second.value }
  }

  @Test func `have paths, queries, conditions and bodies that the service reads`() async throws {
    let transport = FakeTransport { _, _ in throw TreeProblem(status: 400, code: "", detail: "") }
    let client = try client(transport, at: "http://tree.example/base/")
    let session = TreeSession(client, id: "s_1")
    _ = try? await session.getNode("a/b ü~", fields: [.key, .depth])
    var options = ChangeOptions(dryRun: true)
    options.request.ifMatch = 4
    _ = try? await session.patchNode("k", ["a": nil], options)
    _ = try? await client.importNodes("t", Data("{\"key\":\"a\"}\n".utf8))
    _ = try? await session.children(of: "x&y+z", RangeQuery(limit: 5))
    _ = try? await session.batch([
      .insert(NewNode("a", object: ["b": [1, 2.5, nil]], ["c"]), into: "p", at: .after("q")),
      .move("a", into: nil, at: .first), .select(.subtree("a")),
    ])
    let sent = transport.sent
    let root = "http://tree.example/base/v1"
    #expect(
      sent[0].url.absoluteString
        == "\(root)/sessions/s_1/nodes/a%2Fb%20%C3%BC~?fields=key%2Cdepth"
    )
    #expect(sent[0].body == nil && sent[0].headers["Content-Type"] == nil)
    #expect(sent[1].method == "PATCH" && sent[1].headers["If-Match"] == "\"4\"")
    #expect(sent[1].headers["Content-Type"] == "application/merge-patch+json")
    #expect(sent[1].url.query() == "dryRun=true" && sent[1].body == Data(#"{"a":null}"#.utf8))
    #expect(sent[2].headers["Content-Type"] == "application/x-ndjson")
    #expect(sent[3].url.query(percentEncoded: true) == "limit=5&offset=0&parent=x%26y%2Bz")
    let batch = #"""
      {"operations":[{"after":"q","children":[{"key":"c"}],"key":"a","object":{"b":[1,2.5,null]},\#
      "op":"insert","parent":"p"},{"first":true,"keys":["a"],"op":"move","parent":null},\#
      {"op":"select","subtree":"a"}]}
      """#
    #expect(sent[4].body.map { String(decoding: $0, as: UTF8.self) } == batch)
  }

  @Test func `are led elsewhere inside of the service only, and if they are reads`() async throws {
    let places = ["other": "http://elsewhere.example/x", "near": "../../found"]
    let transport = FakeTransport { request, _ in
      guard let place = places[request.url.lastPathComponent] else { return .json(tree) }
      return .json("", status: 302, headers: ["Location": place])
    }
    let client = try client(transport)
    #expect(try await client.getTree("near").tree == "a")
    #expect(transport.sent.last?.url.absoluteString == "http://tree.example/found")
    let away = await #expect(throws: TreeProblem.self) { _ = try await client.getTree("other") }
    #expect(away?.code == "http-302" && transport.sent.count == 3)
    let write = await #expect(throws: TreeProblem.self) { try await client.deleteTree("near") }
    #expect(write?.status == 302 && transport.sent.count == 4)
  }

  @Test(arguments: ["localhost:8080", "ws://localhost:8080", "127.0.0.1"])
  func `need an address that begins with http`(address: String) async throws {
    let transport = FakeTransport { _, _ in .json(tree) }
    let url = try #require(URL(string: address))
    let client = TreeClient(baseURL: url, transport: transport)
    let problem = await #expect(throws: TreeProblem.self) { _ = try await client.getTree("a") }
    #expect(problem == TreeProblem(code: "invalid-request", detail: "\(address) lacks http://"))
    #expect(problem?.isRetryable == false && transport.sent.isEmpty)
  }

  @Test func `say that nothing is expanded, selectable or listed`() async throws {
    let transport = FakeTransport { _, _ in .json(FakeStream.list(0, 1)) }
    let session = TreeSession(try client(transport), id: "s_1")
    try await session.batch([], ChangeOptions(changes: .nothing))
    #expect(transport.sent.last?.url.query() == "changes=none")
    let options = SessionOptions(expansion: .nothing, selection: .nothing)
    let json = try JSONCoding.decode(JSONValue.self, from: JSONCoding.encode(options))
    #expect(json == ["expansion": "none", "selection": "none"])
    let read = try JSONCoding.decode(
      SessionOptions.Expansion.self,
      from: Data(#""none""#.utf8)
    )
    #expect(read == .nothing)
  }

  @Test(arguments: [".", ".."])
  func `name no key that is a folder in a path`(key: String) async throws {
    let transport = FakeTransport { _, _ in .json(FakeStream.list(0, 1)) }
    let session = TreeSession(try client(transport), id: "s_1")
    let problem = await #expect(throws: TreeProblem.self) { try await session.deleteNode(key) }
    #expect(problem?.code == "invalid-request" && transport.sent.isEmpty)
    try await session.remove(key)
    #expect(transport.sent.count == 1)
  }

  @Test func `show a credential that is asked for each time, or a session's secret`() async throws {
    let count = Mutex(0)
    let transport = FakeTransport { _, count in
      count == 1 ? .problem(503, "overloaded") : .json(tree)
    }
    let credential = TreeCredential {
      "token-\(count.withLock { count in count += 1; return count })"
    }
    let client = try client(transport, credential: credential)
    _ = try await client.getTree("a")
    _ = try? await TreeSession(client, id: "s_1", secret: "secret").getSession()
    let shown = transport.sent.map { $0.headers["Authorization"] }
    #expect(shown == ["Bearer token-1", "Bearer token-2", "Bearer secret"])
  }

  @Test func `pass through middleware, the first one outermost`() async throws {
    let order = Mutex<[String]>([])
    func step(_ name: String) -> TreeMiddleware {
      { request, next in
        order.withLock { $0.append(name) }
        var request = request
        request.headers["X-Way", default: ""] += name
        let response = try await next(request)
        order.withLock { $0.append("\(name) \(response.status)") }
        return response
      }
    }
    let transport = FakeTransport { _, _ in .json(tree) }
    _ = try await client(transport, middleware: [step("a"), step("b")]).getTree("a")
    #expect(order.withLock { $0 } == ["a", "b", "b 200", "a 200"])
    #expect(transport.sent.first?.headers["X-Way"] == "ab")
  }
}
