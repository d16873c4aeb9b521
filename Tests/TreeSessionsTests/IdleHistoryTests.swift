import TestSupport
import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// With default limits, sessions that were idle for some minutes get their changes.
struct IdleHistoryTests {
  private let clock = ManualClock()

  private func keys(_ session: StoreUnderTest, since: UInt64) throws -> String {
    StoreUnderTest.json(
      try session.store.changes(of: session.id, ChangesQuery(since: Revision(since)))
    )
  }

  @Test(arguments: [(400, 120), (400, 600), (999, 601)])
  func `each of many idle sessions gets its changes`(count: Int, seconds: Int) throws {
    let store = SessionStore(clock: { [clock] in clock.now })
    _ = try store.make("t", #""nodes":[{"key":"a"}]"#)
    let writer = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let sessions = try (0..<count).map { _ in try StoreUnderTest(#"{"tree":"t"}"#, in: store) }
    for _ in 0..<(seconds / 5) {
      clock.now += 5
      store.runMaintenance()
    }
    clock.now += seconds % 5
    store.runMaintenance()
    try writer.apply(#"{"op":"insert","key":"b"}"#)
    for session in sessions {
      #expect(try keys(session, since: 0).contains(#""key":"b""#))
    }
  }

  /// The rows of a new session are no past that anybody asks for.
  @Test func `sessions with filters that are opened displace no past`() throws {
    var limits = SessionLimits()
    limits.history.totalRows = 2_000
    let store = SessionStore(limits: limits, clock: { [clock] in clock.now })
    let nodes = (0..<200).map { #"{"key":"k\#($0)"}"# }.joined(separator: ",")
    _ = try store.make("t", #""nodes":[\#(nodes)]"#)
    let idle = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let filter = ##"{"tree":"t","filter":{"by":"#key","contains":"1"}}"##
    let others = try (0..<100).map { _ in try StoreUnderTest(filter, in: store) }
    try idle.apply(#"{"op":"insert","key":"b1"}"#)
    for session in [idle] + others {
      #expect(try keys(session, since: 0).contains(#""key":"b1""#))
    }
  }

  @Test func `sessions beyond a thousand idle ones fall asleep, least recently used first`() throws
  {
    let store = SessionStore(clock: { [clock] in clock.now })
    let tree = try store.make("t", #""nodes":[{"key":"a"}]"#)
    let sessions = try (0..<1_003).map { number in
      clock.now = number / 100
      return try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    }
    clock.now += 601
    store.runMaintenance()
    let awake = try store.find(tree).withTree(.blocking) { Set($0.sessions.keys) }
    #expect(awake.count == 1_000 && sessions.dropFirst(100).allSatisfy { awake.contains($0.id) })
  }

  /// The session leaves memory with its tree after five minutes.
  @Test(arguments: [#"{"tree":"t"}"#, "{}"])
  func `a session whose tree has left memory gets its changes`(options: String) throws {
    let storage = MemoryStorage()
    let store = try SessionStore(storage: storage, clock: { [clock] in clock.now })
    _ = try store.make("t", #""nodes":[{"key":"a"}]"#)
    let session = try StoreUnderTest(options, in: store)
    try session.apply(#"{"op":"insert","key":"b"}"#)
    for _ in 0..<120 {
      clock.now += 5
      store.runMaintenance()
    }
    #expect(store.statistics.loadedTrees == 0)
    #expect(try keys(session, since: 0).contains(#""key":"b""#))
  }
}
