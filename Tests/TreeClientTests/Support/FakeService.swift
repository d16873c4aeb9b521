import Foundation
import Synchronization

@testable import TreeClient

/// A service with one session over a flat list of keys.
///
/// A test changes it and decides when it is told of that: by answers at once, by the stream where
/// it calls ``tell()``.
final class FakeService: Sendable {
  private struct State {
    var keys: [String]
    var objects: [String: Int] = [:]
    var lists: [String] = []
    var counts: [Int]
    var history = 0
    var isAway = false
    var reads: [String] = []
    var streams: [FakeStream] = []
  }

  private let state: Mutex<State>
  private let opened: AsyncStream<FakeStream>
  private let open: AsyncStream<FakeStream>.Continuation
  let clock = FakeClock(draw: 0)

  init(_ count: Int) {
    state = Mutex(State(keys: (0..<count).map { "k\($0)" }, counts: [count]))
    (opened, open) = AsyncStream.makeStream()
  }

  /// Returns a session of the service.
  func session() throws -> TreeSession {
    let transport = FakeTransport { request, _ in try self.answer(request) }
    return TreeSession(try client(transport, clock), id: "s_1")
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
  func forgetHistory() { state.withLock { $0.history = $0.lists.count } }

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

  /// Tells the last change by the newest stream.
  func tell() {
    let (stream, list) = state.withLock { ($0.streams.last, $0.lists.last) }
    if let stream, let list { stream.event("changes", list) }
  }

  private func change(_ entry: String, _ work: (inout State) -> Void) -> String {
    state.withLock { state in
      work(&state)
      let revision = state.lists.count
      state.counts.append(state.keys.count)
      state.lists.append(Self.list(revision, revision + 1, state.keys.count, entry))
      return state.lists[revision]
    }
  }

  private static func list(_ before: Int, _ after: Int, _ count: Int, _ changes: String) -> String {
    #"""
    {"previousRevision": \#(before), "revision": \#(after), "rowCount": \#(count), \#
    "format": "ranges", "changes": [\#(changes)]}
    """#
  }

  private func answer(_ request: TreeRequest) throws -> TreeResponse {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    return try state.withLock { state in
      if state.isAway { throw NetworkLost() }
      if request.headers["Accept"] == "text/event-stream" {
        let stream = FakeStream()
        state.streams.append(stream)
        open.yield(stream)
        return stream.response
      }
      if request.url.path.hasSuffix("/changes") {
        return .json(Self.net(Int(query["since"] ?? "") ?? 0, state))
      }
      return page(query, &state)
    }
  }

  private func page(_ query: [String: String], _ state: inout State) -> TreeResponse {
    let (offset, limit) = (Int(query["offset"] ?? "") ?? 0, Int(query["limit"] ?? "") ?? 100)
    state.reads.append("\(offset)+\(limit)")
    let since = query["since"].flatMap { Int($0) }
    if offset > state.keys.count && since == nil { return .problem(416, "range-not-satisfiable") }
    let rows = state.keys.dropFirst(offset).prefix(limit).map {
      #"{"key": "\#($0)", "depth": 0, "parent": null, "object": \#(state.objects[$0] ?? 0)}"#
    }
    let changes = since.map { since in
      since < state.history ? "null" : Self.net(since, state)
    }
    return .json(
      #"""
      {"revision": \#(state.lists.count), "rowCount": \#(state.keys.count), "ancestors": [], \#
      "offset": \#(min(offset, state.keys.count)), "rows": [\#(rows.joined(separator: ","))], \#
      "changes": \#(changes ?? "null")}
      """#
    )
  }

  /// Everything since a revision as one list, which is right, if not the shortest.
  private static func net(_ since: Int, _ state: State) -> String {
    let now = state.lists.count
    if now == since + 1 { return state.lists[since] }
    let all = state.keys.count
    let entries = #"""
      {"type": "delete", "index": 0, "count": \#(state.counts[since])}, \#
      {"type": "insert", "newIndex": 0, "count": \#(all)}
      """#
    return list(since, now, all, now == since ? "" : entries)
  }
}
