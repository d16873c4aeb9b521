import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

/// Tests of requests to a tree with a write in progress, which are queued.
@Suite struct `A busy tree` {
  private let desk = Desk()
  private let store: SessionStore
  private let api: TreeAPI

  init() {
    var limits = SessionLimits()
    limits.maxWaitingCallsPerTree = 3
    store = SessionStore(limits: limits, schedule: desk.schedule)
    api = TreeAPI(service: store, run: desk.submit)
  }

  private func request(
    _ method: Method,
    _ target: String,
    _ body: String = "",
    accept: String = "*/*"
  ) throws -> Request {
    let fields: [(FieldName, String)] = [(.contentType, "application/json"), (.accept, accept)]
    return try Request(
      method: method,
      target: target,
      fields: fields.fields,
      body: Array(body.utf8)
    )
  }

  private func makeSession() throws -> (path: String, id: SessionID) {
    let id = try store.createSession(NewSession(), nil).description.session
    return ("/v1/sessions/" + String(decoding: id.bytes, as: UTF8.self), id)
  }

  private func withBusyTree(_ id: SessionID, _ body: () throws -> Void) throws {
    let store = store
    try whileBusy { notify in
      _ = try store.follow(id, since: nil, BatchOptions(), notify: notify)
    } write: {
      let body = Array(#"{"operations":[{"op":"insert","key":"busy"}]}"#.utf8)
      _ = try? store.apply(Batch.decode(body: body), to: id, BatchOptions())
    } _: {
      try body()
    }
  }

  @Test func `does not delay requests to another`() throws {
    let (busy, free) = (try makeSession(), try makeSession())
    try withBusyTree(busy.id) {
      let late = try Listener(api.respond(to: request(.get, busy.path + "/rows")))
      #expect(try late.wait() == nil)
      #expect(try api.answer(to: request(.get, free.path + "/rows")).status == .ok)
      #expect(late.wakes == 0)
    }
    desk.work()
    let answer = try api.answer(to: request(.get, busy.path + "/rows"))
    #expect(String(decoding: answer.body, as: UTF8.self).contains(#""rowCount":1"#))
  }

  @Test func `does not prevent the content from being requested`() throws {
    let busy = try makeSession()
    let waiting = try Request(
      method: .post,
      target: busy.path + "/batch",
      fields: [(.contentType, "application/json"), (.expect, "100-continue")].fields,
      body: Array("{}".utf8)
    )
    try withBusyTree(busy.id) { #expect(api.receiver(for: waiting) == nil) }
  }

  @Test func `refuses requests when too many are queued`() throws {
    let busy = try makeSession()
    try withBusyTree(busy.id) {
      for _ in 0..<3 { _ = try Listener(api.respond(to: request(.get, busy.path))) }
      let refused = try api.answer(to: request(.get, busy.path))
      #expect(refused.status == .serviceUnavailable)
      #expect(refused.fields.value(.retryAfter) != nil)
      // Streams do not count as queued requests, and begin.
      for _ in 0..<9 {
        let stream = try request(.get, busy.path + "/changes", accept: "text/event-stream")
        #expect(try Listener(api.respond(to: stream)).beginning().status == .ok)
      }
    }
    desk.work()
    #expect(try api.answer(to: request(.get, busy.path)).status == .ok)
  }

  @Test func `is followed after the write, but not by a disconnected client`() throws {
    let busy = try makeSession()
    let target = busy.path + "/changes"
    var waiting: [Listener] = []
    try withBusyTree(busy.id) {
      waiting = try (0..<2).map { _ in
        try Listener(api.respond(to: request(.get, target, accept: "text/event-stream")))
      }
      #expect(try waiting[0].beginning().status == .ok)
      #expect(try waiting[0].wait() == 15_000)
      waiting[1].answer.cancel()
    }
    desk.work()
    #expect(waiting[0].wakes == 1 && waiting[1].wakes == 0)
    _ = try api.answer(to: request(.put, busy.path + "/nodes/b", "{}"))
    #expect(try waiting[0].chunk().contains("event: changes"))
    waiting[0].answer.cancel()
  }
}
