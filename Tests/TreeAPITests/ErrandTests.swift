import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions

@Suite struct `Work on workers` {
  private static let large = "{\"operations\":[]" + String(repeating: " ", count: 100) + "}"

  private func request(
    _ method: Method,
    _ target: String,
    _ body: String = "",
    type: String = "application/json"
  ) throws -> Request {
    var fields = Fields()
    fields.append(.contentType, type)
    return try Request(method: method, target: target, fields: fields, body: Array(body.utf8))
  }

  /// Creates an API whose workers are a queue of the test. They get long bodies, and work on more
  /// than `maxSmallNodes` nodes.
  private func api(_ desk: Desk, maxSmallNodes: Int = 500) -> TreeAPI {
    var options = TreeAPIOptions()
    options.heavyBodyBytes = 100
    var limits = SessionLimits()
    limits.maxSmallNodes = maxSmallNodes
    let store = SessionStore(limits: limits, schedule: desk.schedule)
    return TreeAPI(service: store, options: options, run: desk.submit)
  }

  /// Creates a session and returns its path.
  private func session(_ api: TreeAPI) throws -> String {
    let made = try api.answer(to: request(.post, "/v1/sessions"))
    return String(decoding: try #require(made.fields.value(.location)), as: UTF8.self)
  }

  @Test func `a long body is decoded by a worker`() throws {
    let desk = Desk()
    let api = api(desk)
    let path = try session(api)
    let heavy = [
      try request(.post, path + "/batch", Self.large),
      try request(.put, path + "/forest", "[\(spaces)]"),
      try request(.post, "/v1/sessions", "{\(spaces)}"),
      try request(.post, "/v1/trees", "{\(spaces)}"),
    ]
    for (index, request) in heavy.enumerated() {
      guard case .later = api.respond(to: request) else { throw Unexpected.promptAnswer }
      #expect(desk.count == index + 1)
    }
    let light = [
      try request(.post, path + "/batch", #"{"operations":[]}"#), try request(.get, path + "/rows"),
      try request(.post, path + "/expandAll"), try request(.post, "/v1/trees"),
      try request(.patch, path, #"{"filter":{"by":"","contains":"a"}}"#),
      try request(.get, path + "/search?q=a"), try request(.put, path + "/forest", "[]"),
      try request(.delete, path),
    ]
    for request in light { #expect(try api.answer(to: request).status.code < 300) }
    #expect(desk.count == heavy.count)
  }

  @Test func `long operations with short bodies run on a worker`() throws {
    let desk = Desk()
    let api = api(desk, maxSmallNodes: 50)
    let nodes = (0..<100).map { #"{"key":"\#($0)","parent":"top"}"# }
    #expect(try api.answer(to: request(.post, "/v1/trees", #"{"tree":"x"}"#)).status == .created)
    let lines = #"{"key":"top"}"# + "\n" + nodes.joined(separator: "\n")
    let type = "application/x-ndjson"
    guard case .later = try api.respond(to: request(.post, "/v1/trees/x/import", lines, type: type))
    else { throw Unexpected.promptAnswer }
    desk.work()
    let made = try api.answer(to: request(.post, "/v1/sessions", #"{"tree":"x"}"#))
    let path = String(decoding: try #require(made.fields.value(.location)), as: UTF8.self)
    let heavy = [
      try request(.patch, path, #"{"filter":{"by":"","contains":"a"}}"#),
      try request(.patch, path, #"{"order":"breadthFirst"}"#),
      try request(.get, path + "/search?q=a"),
      try request(.post, path + "/nodes/top/select", #"{"subtree":true}"#),
      try request(.post, path + "/collapseAll"), try request(.post, path + "/nodes/top/collapse"),
      try request(.post, path + "/batch", #"{"operations":[{"op":"sort","by":[{"by":""}]}]}"#),
      try request(.post, "/v1/sessions", #"{"tree":"x","order":"breadthFirst"}"#),
      try request(.delete, path + "/nodes/top"),
    ]
    for request in heavy {
      let reply = api.respond(to: request)
      guard case .later = reply else { throw Unexpected.promptAnswer }
      let listener = try Listener(reply)
      #expect(try listener.wait() == nil)
      desk.work()
      #expect(listener.wakes > 0)
      _ = try listener.response()
    }
  }

  private var spaces: String { String(repeating: " ", count: 100) }

  @Test func `the client is answered when the work has ended`() throws {
    let desk = Desk()
    let api = api(desk)
    let path = try session(api)
    let first = try Listener(api.respond(to: request(.post, path + "/batch", Self.large)))
    #expect(try first.wait() == nil && first.wakes == 0)
    desk.work()
    #expect(first.wakes == 1)
    #expect(try first.response().status == .ok)
    let body = #"{"operations":[{"op":"no"}]\#(spaces)}"#
    let second = try Listener(api.respond(to: request(.post, path + "/batch", body)))
    desk.work()
    #expect(try second.response().status == .badRequest)
  }

  @Test func `an import is applied by a worker`() throws {
    let desk = Desk()
    let api = api(desk)
    #expect(try api.answer(to: request(.post, "/v1/trees", #"{"tree":"x"}"#)).status == .created)
    let type = "application/x-ndjson"
    let line = "{\"key\":\"a\"}"
    let listener = try Listener(
      api.respond(to: request(.post, "/v1/trees/x/import", line, type: type))
    )
    #expect(desk.count == 1)
    desk.work()
    #expect(try listener.response().status == .ok)
  }

  @Test func `a read of a disconnected client is not done`() throws {
    let desk = Desk()
    let api = api(desk, maxSmallNodes: 0)
    let nodes = #"{"nodes":[{"key":"a"},{"key":"b"}]}"#
    let made = try Listener(api.respond(to: request(.post, "/v1/sessions", nodes)))
    desk.work()
    let location = try #require(try made.response().fields.value(.location))
    let path = String(decoding: location, as: UTF8.self)
    for isGone in [true, false] {
      let listener = try Listener(api.respond(to: request(.get, path + "/search?q=a")))
      if isGone { listener.answer.cancel() }
      desk.work()
      if isGone { #expect(try listener.wait() == nil) } else { _ = try listener.response() }
    }
  }

  @Test func `a write of a disconnected client is not done`() throws {
    let desk = Desk()
    let api = api(desk)
    let path = try session(api)
    let body = #"{"operations":[{"op":"insert","key":"a"}]\#(spaces)}"#
    let listener = try Listener(api.respond(to: request(.post, path + "/batch", body)))
    listener.answer.cancel()
    desk.work()
    #expect(listener.wakes == 0)
    #expect(try api.answer(to: request(.get, path + "/nodes/a")).status == .notFound)
  }

  @Test func `work that has not begun can be cancelled`() throws {
    let desk = Desk()
    let api = api(desk)
    let path = try session(api)
    func insert(_ key: String) throws -> Request {
      try request(
        .post,
        path + "/batch",
        #"{"operations":[{"op":"insert","key":"\#(key)"}]\#(spaces)}"#
      )
    }
    let late = try Listener(api.respond(to: insert("a")))
    #expect(late.answer.withdraw() && late.answer.withdraw())
    late.answer.cancel()
    desk.work()
    #expect(try api.answer(to: request(.get, path + "/nodes/a")).status == .notFound)
    let done = try Listener(api.respond(to: insert("b")))
    desk.work()
    #expect(!done.answer.withdraw())
    #expect(try done.response().status == .ok)
    #expect(try api.answer(to: request(.get, path + "/nodes/b")).status == .ok)
  }

  @Test func `a full queue refuses work with Retry-After`() throws {
    let api = api(Desk(room: 0))
    let path = try session(api)
    let refused = try api.answer(to: request(.post, path + "/batch", Self.large))
    let answer = Answer(refused, session: "(none)", tree: "(none)")
    #expect(answer.status == 503 && answer.code == "overloaded" && answer[.retryAfter] == "1")
    #expect(try api.answer(to: request(.get, path)).status == .ok)
  }
}
