import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Changes of one group are written together, and nothing is left waiting.
struct GroupCommitTests {
  /// A store whose commits run when the test says so.
  private struct Bench {
    let storage = MemoryStorage()
    let clock = ManualClock()
    let commits = Desk()
    let store: SessionStore
    let session: StoreUnderTest

    init() throws {
      clock.now = 1_000
      store = try SessionStore(
        storage: storage,
        clock: { [clock] in clock.now },
        commit: { [commits] in commits.assign($0) }
      )
      session = try StoreUnderTest("{}", in: store)
      commits.work()
    }

    var commitCount: Int { store.statistics.journal?.commits.counts.reduce(0, +) ?? 0 }
    var waitingCount: Int { store.statistics.journal?.waitingWorks ?? 0 }

    @discardableResult
    func insert(_ key: Int, bytes: Int = 1) throws -> Durability {
      let object = String(repeating: "x", count: bytes)
      return try session.apply(#"{"op":"insert","key":"\#(key)","object":"\#(object)"}"#).durability
    }
  }

  @Test func `changes in a group are one commit at its end`() throws {
    let bench = try Bench()
    let before = bench.commitCount
    bench.store.beginGroup()
    let changes = try (0..<3).map { try bench.insert($0) }
    #expect(bench.commits.count == 0 && changes.allSatisfy { !$0.isResolved })
    bench.store.endGroup()
    bench.commits.work()
    #expect(changes.allSatisfy { $0.isResolved && $0.loss == nil })
    #expect(bench.commitCount == before + 1)
    try bench.insert(3)
    #expect(bench.commits.count == 1)
    bench.commits.work()
  }

  @Test func `the first group that ends writes the changes of all`() throws {
    let bench = try Bench()
    bench.store.beginGroup()
    bench.store.beginGroup()
    let first = try bench.insert(0)
    bench.store.endGroup()
    let second = try bench.insert(1)
    bench.commits.work()
    #expect(first.isResolved && second.isResolved)
    let third = try bench.insert(2)
    bench.commits.work()
    #expect(!third.isResolved)
    bench.store.endGroup()
    bench.commits.work()
    #expect(third.isResolved)
  }

  @Test func `a commit that has begun is not delayed by a group`() throws {
    let bench = try Bench()
    let change = try bench.insert(0)
    bench.store.beginGroup()
    bench.commits.work()
    #expect(change.isResolved)
    bench.store.endGroup()
    #expect(bench.commits.count == 0)
  }

  @Test func `a group does not delay enough works for a commit`() throws {
    let bench = try Bench()
    bench.store.beginGroup()
    for key in 1..<CommitQueue.Contents.enoughWorks { try bench.insert(key) }
    #expect(bench.commits.count == 0)
    try bench.insert(0)
    #expect(bench.commits.count == 1)
    bench.commits.work()
    #expect(bench.waitingCount == 0)
    bench.store.endGroup()
  }

  @Test func `a group does not delay a long work`() throws {
    let bench = try Bench()
    bench.store.beginGroup()
    try bench.insert(0)
    try bench.insert(1, bytes: WaitingWorks.shortBytes)
    bench.commits.work()
    #expect(bench.waitingCount == 0)
    bench.store.endGroup()
  }

  @Test func `changes that are lost in a group are lost, and later ones are stored`() throws {
    let bench = try Bench()
    bench.store.beginGroup()
    let lost = try bench.insert(0)
    bench.storage.fail(.full("no room"))
    bench.store.endGroup()
    bench.commits.work()
    #expect(lost.loss?.code == .storageFull)
    bench.store.beginGroup()
    bench.storage.fail(nil)
    bench.clock.now += 2
    #expect(refusal { () throws(ServiceError) in try bench.session.apply() }?.code == .storageFull)
    bench.commits.work()
    let kept = try bench.insert(1)
    #expect(bench.commits.count == 0)
    bench.store.endGroup()
    bench.commits.work()
    #expect(kept.isResolved && kept.loss == nil)
    #expect(try bench.session.keys() == ["1"])
  }

  @Test(arguments: 0..<20)
  func `random groups leave nothing waiting`(seed: UInt64) throws {
    let bench = try Bench()
    var random = SeededGenerator(seed: seed)
    var openGroups = 0
    for key in 0..<200 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        bench.store.beginGroup()
        openGroups += 1
      case 1 where openGroups > 0:
        bench.store.endGroup()
        openGroups -= 1
      case 2: bench.commits.workOnce()
      default: try bench.insert(key)
      }
      #expect(openGroups > 0 || bench.waitingCount == 0 || bench.commits.count == 1)
      #expect(bench.commits.count <= 1)
    }
    for _ in 0..<openGroups { bench.store.endGroup() }
    bench.commits.work()
    #expect(bench.waitingCount == 0)
  }
}
