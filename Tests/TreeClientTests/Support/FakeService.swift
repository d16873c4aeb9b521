import Foundation
import Synchronization

@testable import TreeClient

/// A service with one session over a flat list of keys.
///
/// A test changes it and decides when it is told of that: by answers at once, by the stream where
/// it calls ``tell()``.
final class FakeService: Sendable {
  /// The rows of a revision.
  private struct Rows {
    var keys: [String]
    var objects: [String: Int] = [:]
  }

  /// A stream, with the revision that it was told of last.
  private struct Told {
    var stream: FakeStream
    var revision: Int
    var isBroken = false
  }

  private struct State {
    /// The rows of each revision.
    var past: [Rows]
    /// The changes that led to each revision but the first.
    var lists: [String] = []
    var history = 0
    var isAway = false
    /// True if the next request fails.
    var isBroken = false
    var reads: [String] = []
    var told: [Told] = []
    /// The newest revision that survives a crash.
    var durable = 0

    var revision: Int { past.count - 1 }
    var rows: Rows { past[past.count - 1] }
  }

  private let state: Mutex<State>
  private let opened: AsyncStream<FakeStream>
  private let open: AsyncStream<FakeStream>.Continuation
  let clock = FakeClock(draw: 0)
  let line = SlowLine()

  init(_ count: Int) {
    state = Mutex(State(past: [Rows(keys: (0..<count).map { "k\($0)" })]))
    (opened, open) = AsyncStream.makeStream()
  }

  /// Returns a session of the service.
  func session() throws -> TreeSession {
    let transport = FakeTransport { request, _ in
      if request.isOfStream { try await self.line.pass(.stream) }
      let response = try self.answer(request)
      if request.url.path.hasSuffix("/rows") { try await self.line.pass(.page) }
      if request.url.path.hasSuffix("/batch") { try await self.line.pass(.answer) }
      return response
    }
    return TreeSession(try client(transport, clock), id: "s_1")
  }

  /// The revision, and the keys and objects of all rows.
  var rows: (revision: Int, rows: [String]) {
    state.withLock { state in
      (state.revision, state.rows.keys.map { "\($0) \(state.rows.objects[$0] ?? 0)" })
    }
  }

  /// The queries of the pages that were read.
  var reads: [String] { state.withLock { $0.reads } }

  /// Waits for the next stream that is opened.
  func stream() async -> FakeStream? {
    var iterator = opened.makeAsyncIterator()
    return await iterator.next()
  }

  /// Has the service refuse all requests for a while.
  func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

  /// Forgets what led to the revisions so far.
  func forgetHistory() { state.withLock { $0.history = $0.revision } }

  /// True if the newest stream is open.
  var isFollowed: Bool { state.withLock { $0.told.last?.isBroken == false } }

  /// Breaks the newest stream, which has lasted for a second.
  func cut() {
    let stream = state.withLock { state -> FakeStream? in
      guard let last = state.told.indices.last, !state.told[last].isBroken else { return nil }
      state.told[last].isBroken = true
      return state.told[last].stream
    }
    guard let stream else { return }
    clock.advance(by: .seconds(1))
    stream.fail()
  }

  /// Tells the newest stream that it has to be read anew.
  func reset() {
    state.withLock { state in
      guard let last = state.told.indices.last else { return }
      state.told[last].revision = state.revision
      state.durable = max(state.durable, state.revision)
      state.told[last].stream.event("reset", Self.reset(state))
    }
  }

  /// Has the service crash and start again, with no more than the revisions that streams told.
  ///
  /// The next request finds it away.
  ///
  /// - Parameter resends: True if a proxy sends the held requests to the new process.
  func crash(resends: Bool = false) {
    state.withLock { state in
      let lost = state.revision - state.durable
      state.past.removeLast(lost)
      state.lists.removeLast(lost)
      state.history = min(state.history, state.revision)
      state.isBroken = true
    }
    cut()
    if !resends { line.cut() }
  }

  @discardableResult
  func insert(_ keys: [String], at index: Int) -> String {
    change(#"{"type": "insert", "newIndex": \#(index), "count": \#(keys.count)}"#) {
      $0.keys.insert(contentsOf: keys, at: index)
    }
  }

  @discardableResult
  func remove(_ range: Range<Int>) -> String {
    change(#"{"type": "delete", "index": \#(range.lowerBound), "count": \#(range.count)}"#) {
      $0.keys.removeSubrange(range)
    }
  }

  @discardableResult
  func update(_ index: Int, _ object: Int) -> String {
    let places = #""index": \#(index), "newIndex": \#(index)"#
    return change(#"{"type": "update", \#(places), "fields": ["object"]}"#) {
      $0.objects[$0.keys[index]] = object
    }
  }

  /// Tells the newest stream what it does not know yet.
  func tell() {
    state.withLock { state in
      if let last = state.told.indices.last { Self.tell(&state, last) }
    }
  }

  private static func tell(_ state: inout State, _ index: Int) {
    let told = state.told[index]
    guard told.revision < state.revision else { return }
    told.stream.event("changes", net(told.revision, state))
    state.told[index].revision = state.revision
    state.durable = state.revision
  }

  private func change(_ entry: String, _ work: (inout Rows) -> Void) -> String {
    state.withLock { state in
      var rows = state.rows
      work(&rows)
      let revision = state.revision
      state.past.append(rows)
      state.lists.append(Self.list(revision, revision + 1, rows.keys.count, entry))
      return state.lists[revision]
    }
  }

  /// Inserts a row at the top, tells the newest stream, and returns the answer, which has the row.
  private static func make(_ key: String, _ state: inout State) -> TreeResponse {
    var rows = state.rows
    rows.keys.insert(key, at: 0)
    let (before, count) = (state.revision, rows.keys.count)
    let insertion = #""type": "insert", "newIndex": 0, "count": 1"#
    state.past.append(rows)
    state.lists.append(list(before, before + 1, count, "{\(insertion)}"))
    if let last = state.told.indices.last { tell(&state, last) }
    let row = #"{"key": "\#(key)", "depth": 0, "parent": null, "object": 0}"#
    return .json(list(before, before + 1, count, #"{\#(insertion), "rows": [\#(row)]}"#))
  }

  private static func list(_ before: Int, _ after: Int, _ count: Int, _ changes: String) -> String {
    #"""
    {"previousRevision": \#(before), "revision": \#(after), "rowCount": \#(count), \#
    "format": "ranges", "changes": [\#(changes)]}
    """#
  }

  private static func reset(_ state: State) -> String {
    #"{"revision": \#(state.revision), "rowCount": \#(state.rows.keys.count)}"#
  }

  private func answer(_ request: TreeRequest) throws -> TreeResponse {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    return try state.withLock { state in
      defer { state.isBroken = false }
      if state.isAway || state.isBroken { throw NetworkLost() }
      if request.url.path.hasSuffix("/batch") { return Self.make("own", &state) }
      guard request.url.path.hasSuffix("/changes") else { return page(query, &state) }
      let since = query["since"].flatMap { Int($0) }
      if let since, since < state.history || since > state.revision {
        let (revision, count) = (state.revision, state.rows.keys.count)
        let more = #", "revision": \#(revision), "rowCount": \#(count)"#
        return .problem(410, "history-expired", more)
      }
      guard request.isOfStream else {
        // The client takes such lists for durable, as if all reads waited for that.
        state.durable = state.revision
        return .json(Self.net(since ?? 0, state))
      }
      let stream = FakeStream()
      state.told.append(Told(stream: stream, revision: since ?? state.revision))
      Self.tell(&state, state.told.count - 1)
      open.yield(stream)
      return stream.response
    }
  }

  private func page(_ query: [String: String], _ state: inout State) -> TreeResponse {
    let (offset, limit) = (Int(query["offset"] ?? "") ?? 0, Int(query["limit"] ?? "") ?? 100)
    state.reads.append("\(offset)+\(limit)")
    let since = query["since"].flatMap { Int($0) }
    let (keys, objects) = (state.rows.keys, state.rows.objects)
    if offset > keys.count && since == nil { return .problem(416, "range-not-satisfiable") }
    let rows = keys.dropFirst(offset).prefix(limit).map {
      #"{"key": "\#($0)", "depth": 0, "parent": null, "object": \#(objects[$0] ?? 0)}"#
    }
    let changes = since.map { since in
      since < state.history || since > state.revision ? "null" : Self.net(since, state)
    }
    return .json(
      #"""
      {"revision": \#(state.revision), "rowCount": \#(keys.count), "ancestors": [], \#
      "offset": \#(min(offset, keys.count)), "rows": [\#(rows.joined(separator: ","))], \#
      "changes": \#(changes ?? "null")}
      """#
    )
  }

  /// Everything since a revision as one list, which is right, if not the shortest.
  private static func net(_ since: Int, _ state: State) -> String {
    let now = state.revision
    if now == since + 1 { return state.lists[since] }
    let all = state.rows.keys.count
    let entries = #"""
      {"type": "delete", "index": 0, "count": \#(state.past[since].keys.count)}, \#
      {"type": "insert", "newIndex": 0, "count": \#(all)}
      """#
    return list(since, now, all, now == since ? "" : entries)
  }
}
