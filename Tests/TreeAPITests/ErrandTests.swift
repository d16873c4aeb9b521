import HTTP
import Synchronization
import Testing
import TreeAPI
import TreeSessions

/// Keeps work until a test has it done.
private final class Desk: Sendable {
  private let jobs = Mutex<[@Sendable () -> Void]>([])
  private let room: Int

  init(room: Int = .max) { self.room = room }

  var count: Int { jobs.withLock { $0.count } }

  func take(_ job: @escaping @Sendable () -> Void) -> Bool {
    jobs.withLock { jobs in
      guard jobs.count < room else { return false }
      jobs.append(job)
      return true
    }
  }

  func work() {
    let all = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in all { job() }
  }
}

@Suite struct `Work done elsewhere` {
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

  private func api(_ desk: Desk) -> TreeAPI {
    var options = TreeAPIOptions()
    options.heavyBodyBytes = 100
    return TreeAPI(service: SessionStore(), options: options, run: desk.take)
  }

  /// Makes a session at the desk's API, and gives its path.
  private func session(_ api: TreeAPI) throws -> String {
    let made = try api.answer(to: request(.post, "/v1/sessions"))
    return String(decoding: try #require(made.fields.value(.location)), as: UTF8.self)
  }

  @Test func `what may be much is done elsewhere, and what is little here`() throws {
    let desk = Desk()
    let api = api(desk)
    let path = try session(api)
    let heavy = [
      try request(.post, path + "/batch", Self.large), try request(.patch, path, "{}"),
      try request(.get, path + "/search?q=a"), try request(.put, path + "/children", "[\(spaces)]"),
      try request(.post, "/v1/sessions", "{\(spaces)}"),
      try request(.post, "/v1/trees", "{\(spaces)}"),
      try request(.post, path + "/batch", #"{"operations":[{"op":"sort","by":[{"by":""}]}]}"#),
      try request(.put, path + "/children", "[]"),
      try request(.delete, path),
    ]
    for (index, request) in heavy.enumerated() {
      guard case .later = api.respond(to: request) else { throw Unexpected.promptAnswer }
      #expect(desk.count == index + 1)
    }
    let light = [
      try request(.post, path + "/batch", #"{"operations":[]}"#), try request(.get, path + "/rows"),
      try request(.post, path + "/expandAll"), try request(.post, "/v1/trees"),
    ]
    for request in light { #expect(try api.answer(to: request).status.code < 300) }
    #expect(desk.count == heavy.count)
  }

  private var spaces: String { String(repeating: " ", count: 100) }

  @Test func `the client is answered when the work is done`() throws {
    let desk = Desk()
    let api = api(desk)
    let path = try session(api)
    let first = try Listener(api.respond(to: request(.post, path + "/batch", Self.large)))
    #expect(try first.wait() == nil && first.wakes == 0)
    desk.work()
    #expect(first.wakes == 1)
    #expect(try first.response().status == .ok)
    let second = try Listener(api.respond(to: request(.get, path + "/search?q=&limit=1")))
    desk.work()
    #expect(try second.response().status == .badRequest)
  }

  @Test func `an import is brought in elsewhere`() throws {
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

  @Test func `the work of a client that is gone is done all the same`() throws {
    let desk = Desk()
    let api = api(desk)
    let path = try session(api)
    let listener = try Listener(api.respond(to: request(.delete, path)))
    listener.answer.cancel()
    desk.work()
    #expect(listener.wakes == 0)
    #expect(try api.answer(to: request(.get, path)).status == .notFound)
  }

  @Test func `where there is no room the client is told to try again`() throws {
    let api = api(Desk(room: 0))
    let path = try session(api)
    for request in [try request(.post, path + "/batch", Self.large), try request(.delete, path)] {
      let answer = Answer(try api.answer(to: request), session: "(none)", tree: "(none)")
      #expect(answer.status == 503 && answer.code == "overloaded" && answer[.retryAfter] == "1")
    }
    #expect(try api.answer(to: request(.get, path)).status == .ok)
  }
}
