import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Checks that the statistics of a store match its contents.
struct StatisticsTests {
  private let nodes = #""nodes":[{"key":"a","object":{"n":1},"children":[{"key":"b"}]}]"#

  @Test func `a store in memory counts trees, nodes, sessions and followers`() throws {
    let store = SessionStore()
    #expect(store.statistics == ServiceStatistics())
    try store.make("t")
    let before = store.statistics
    let session = try StoreUnderTest("{\(nodes)}", in: store)
    try session.apply(#"{"op":"insert","key":"c"}"#)
    let following = try store.follow(session.id, since: nil, BatchOptions(), notify: {})
    let seen = store.statistics
    var expected = before
    expected.loadedTrees += 1
    expected.sessions = 1
    expected.loadedSessions = 1
    expected.loadedNodes = 3
    expected.loadedBytes = seen.loadedBytes
    expected.memory = seen.memory
    expected.followers = 1
    // Each access to a tree adds to these.
    expected.treeWaits = seen.treeWaits
    #expect(seen == expected && seen.loadedBytes > before.loadedBytes)
    #expect(seen.memory.total > before.memory.total)
    #expect(before.sharedTrees == 1 && before.loadedTrees == 1)
    following.cancel()
    _ = try store.deleteSession(session.id)
    expected = before
    expected.treeWaits = store.statistics.treeWaits
    #expect(store.statistics == expected)
  }

  @Test func `a stored one counts commits, and the bytes and works that wait for them`() throws {
    let commits = Desk()
    let store = try SessionStore(
      storage: MemoryStorage(),
      clock: { 1_000 },
      commit: { commits.assign($0) }
    )
    do {
      let session = try StoreUnderTest("{\(nodes)}", in: store)
      try session.apply(#"{"op":"insert","key":"c"}"#)
      let waiting = try #require(store.statistics.journal)
      #expect(waiting.waitingWorks == 2 && waiting.waitingBytes > 0)
      #expect(waiting.commits == DurationCounts())
      while commits.count > 0 { commits.work() }
      let written = try #require(store.statistics.journal)
      #expect(written.waitingWorks == 0 && written.waitingBytes == 0)
      #expect(written.commits.counts.reduce(0, +) == 1 && written.failedCommits == 0)
      #expect(store.statistics.loadedNodes == 3)
      _ = try store.deleteSession(session.id)
    }
    while commits.count > 0 { commits.work() }
    let left = store.statistics
    #expect(left.loadedTrees == 0 && left.loadedNodes == 0 && left.loadedBytes == 0)
    #expect(left.sessions == 0)
  }

  @Test func `durations are counted by their bucket`() {
    var counts = DurationCounts()
    counts.add(.microseconds(50))
    counts.add(.microseconds(51))
    counts.add(.seconds(6))
    #expect(counts.counts[0] == 1 && counts.counts[1] == 1 && counts.counts.last == 1)
    #expect(counts.counts.reduce(0, +) == 3 && counts.sum == 6_000_101_000)
  }
}
