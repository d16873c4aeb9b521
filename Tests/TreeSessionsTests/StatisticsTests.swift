import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// The figures of a store are those of what it holds.
struct StatisticsTests {
  private let nodes = #""nodes":[{"key":"a","object":{"n":1},"children":[{"key":"b"}]}]"#

  @Test func `a store in memory counts trees, nodes, sessions and followers`() throws {
    let store = SessionStore()
    #expect(store.statistics == ServiceStatistics())
    let session = try StoreUnderTest("{\(nodes)}", in: store)
    try session.apply(#"{"op":"insert","key":"c"}"#)
    try store.make("t")
    let following = try store.follow(session.id, since: nil, BatchOptions(), notify: {})
    var expected = ServiceStatistics()
    expected.sharedTrees = 1
    expected.loadedTrees = 2
    expected.sessions = 1
    expected.loadedSessions = 1
    expected.loadedNodes = 3
    expected.followers = 1
    let seen = store.statistics
    expected.loadedBytes = seen.loadedBytes
    #expect(seen == expected && seen.loadedBytes > 0)
    following.cancel()
    _ = try store.deleteSession(session.id)
    let left = store.statistics
    #expect(left.loadedTrees == 1 && left.sessions == 0 && left.followers == 0)
    #expect(left.loadedNodes == 0 && left.loadedBytes == 0)
  }

  @Test func `a stored one counts what waits to be written, and commits`() throws {
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

  @Test func `durations are counted by the bucket they are in`() {
    var counts = DurationCounts()
    counts.add(.microseconds(50))
    counts.add(.microseconds(51))
    counts.add(.seconds(6))
    #expect(counts.counts[0] == 1 && counts.counts[1] == 1 && counts.counts.last == 1)
    #expect(counts.counts.reduce(0, +) == 3 && counts.sum == 6_000_101_000)
  }
}
