import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A revision that was seen always has the same content, even if commits fail.
struct LostRevisionTests {
  /// Records the content of each revision, and compares it with later reads.
  private struct Witness {
    private var seen: [String: [UInt64: [UInt8]]] = [:]
    private(set) var count = 0

    mutating func see(_ name: String, _ revision: Revision, _ content: [UInt8], _ seed: UInt64) {
      count += 1
      let before = seen[name]?[revision.number]
      #expect(
        before == nil || before == content,
        "seed \(seed): revision \(revision.number) of \(name) is another one than it was"
      )
      seen[name, default: [:]][revision.number] = content
    }
  }

  /// A service whose storage fails sometimes, and its clients.
  private struct Run {
    let storage = MemoryStorage()
    let clock = ManualClock()
    let commits = Desk()
    let works = Desk()
    let seed: UInt64
    let limits: SessionLimits
    var random: SeededGenerator
    var store: SessionStore
    var sessions: [SessionID] = []
    var witness = Witness()

    init(seed: UInt64) throws {
      self.seed = seed
      random = SeededGenerator(seed: seed)
      var limits = SessionLimits()
      limits.snapshotEntries = Bool.random(using: &random) ? 3 : 1_000
      limits.idleSessionSeconds = 10
      // Some trees leave memory before anything is written after a loss.
      limits.idleTreeSeconds = Bool.random(using: &random) ? 15 : 1_000
      limits.maxIdleViewsPerTree = 1
      self.limits = limits
      clock.now = 1_000
      store = try Self.start(limits, storage, clock, works, commits)
      try store.make("t", #""nodes":[{"key":"a","children":[{"key":"b"}]}]"#)
      sessions = try ["{\"tree\":\"t\"}", "{\"tree\":\"t\"}", "{}"].map {
        try StoreUnderTest($0, in: store).id
      }
      finishCommits()
    }

    private static func start(
      _ limits: SessionLimits,
      _ storage: MemoryStorage,
      _ clock: ManualClock,
      _ works: Desk,
      _ commits: Desk
    ) throws -> SessionStore {
      try SessionStore(
        limits: limits,
        storage: storage,
        clock: { clock.now },
        schedule: works.schedule,
        commit: { commits.assign($0) }
      )
    }

    func finishCommits() {
      while commits.count + works.count > 0 {
        commits.work()
        works.work()
      }
    }

    /// Reads all trees and sessions.
    mutating func look() throws {
      for tree in store.trees(after: nil, limit: 9).trees {
        guard let export = try? store.export(tree.tree) else { continue }
        var content: [UInt8] = []
        while let lines = export.next() { content += lines }
        witness.see("tree \(tree.tree)", export.revision, content, seed)
      }
      for id in sessions {
        let session = StoreUnderTest(id, of: store)
        guard
          let revision = try? store.session(id, expectedRevision: nil).revision,
          let rows = try? session.rows()
        else { continue }
        witness.see("session \(id)", revision, Array(rows.utf8), seed)
      }
    }

    mutating func step() throws {
      let key = "k\(Int.random(in: 0..<4, using: &random))"
      let session = StoreUnderTest(sessions.randomElement(using: &random) ?? sessions[0], of: store)
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<3: _ = try? session.apply(#"{"op":"insert","key":"\#(key)","parent":"a"}"#)
      case 3: _ = try? session.apply(#"{"op":"insert","key":"\#(key)"}"#)
      case 4: _ = try? session.apply(#"{"op":"remove","key":"\#(key)"}"#)
      case 5: _ = try? session.apply(#"{"op":"toggle","key":"a"}"#)
      case 6: _ = try? session.apply(#"{"op":"select","key":"\#(key)"}"#)
      case 7: _ = try? store.make("u", #""nodes":[{"key":"\#(key)"}]"#)
      case 8: try? remove("u")
      case 9:
        storage.fail(.failed("no disk"))
        _ = try? session.apply(#"{"op":"insert","key":"\#(key)"}"#)
      case 10: try restart()
      default: sleep()
      }
      try look()
      if Bool.random(using: &random) { finishCommits() }
      if Int.random(in: 0..<3, using: &random) == 0 { recover() }
      try look()
    }

    private func remove(_ tree: String) throws {
      guard let id = TreeID(validating: tree.utf8) else { return }
      try store.deleteTree(id)
    }

    /// Starts another store after all works are written or lost.
    private mutating func restart() throws {
      finishCommits()
      store = try Self.start(limits, storage, clock, works, commits)
    }

    private func sleep() {
      clock.now += 20
      store.runMaintenance()
    }

    private func recover() {
      storage.fail(nil)
      clock.now += 2
      try? remove("none")
      _ = try? StoreUnderTest(sessions[0], of: store).apply(#"{"op":"clearSelection"}"#)
      finishCommits()
    }
  }

  @Test(arguments: Seed.seeds(count: 60))
  func `revisions keep their content despite failing commits and restarts`(seed: UInt64) throws {
    var run = try Run(seed: seed)
    for _ in 0..<Seed.operations(default: 60) { try run.step() }
    #expect(run.witness.count > 100)
  }

  @Test func `a lost revision is skipped, and earlier history is forgotten`() throws {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    bench.finishCommits()
    bench.storage.fail(.failed("no disk"))
    try session.apply(#"{"op":"insert","key":"lost"}"#)
    #expect(try bench.store.tree(bench.tree, expectedRevision: nil).revision == Revision(1))
    bench.finishCommits()
    #expect(try bench.store.tree(bench.tree, expectedRevision: nil).revision == Revision(1_000))
    #expect(try session.keys() == ["a"])
    bench.recover()
    let answer = try session.apply(#"{"op":"insert","key":"b"}"#)
    #expect(answer.revision == Revision(1_001) && answer.treeRevision == Revision(1_001))
    for since in [0, 1, 999] as [UInt64] {
      let expired = refusal { () throws(ServiceError) in
        _ = try bench.store.changes(of: session.id, ChangesQuery(since: Revision(since)))
      }
      #expect(expired?.code == .historyExpired)
    }
    bench.finishCommits()
    // Another process begins a generation, because it cannot know which revisions were shown.
    let anew = try SessionStore(storage: bench.storage, clock: { 1_000 })
    #expect(try anew.tree(bench.tree, expectedRevision: nil).revision == Revision(1_000_000))
    #expect(try anew.session(session.id, expectedRevision: nil).revision == Revision(1_000_000))
  }

  @Test(arguments: [false, true])
  func `a lost creation uses up revisions only if they may have been shown`(
    readsWait: Bool
  ) throws {
    let bench = try ArchiveBench(readsWait: readsWait)
    bench.storage.fail(.failed("no connection"))
    _ = try bench.store.make("u", "")
    bench.finishCommits()
    bench.recover()
    let again = try bench.store.createTree(.decode(body: Array(#"{"tree":"u"}"#.utf8)), nil)
    #expect(again.description.revision == Revision(readsWait ? 0 : 1))
  }

  @Test(arguments: [0, 1, 998, 999, 1_000, 1_999] as [UInt64])
  func `the revision of an entry shows that changes were lost before it`(highest: UInt64) {
    let start = Generations.start(afterLossOf: Revision(highest))
    #expect(start.number > highest + 1 && start.number.isMultiple(of: Generations.lossStep))
    for known in [0, highest] {
      for entry in [start, start.next] {
        #expect(Generations().start(of: entry, after: Revision(known)) == start)
      }
      for entry in [known, known + 1] {
        let found = Generations().start(of: Revision(entry), after: Revision(known))
        #expect(found <= Revision(known))
      }
    }
  }
}
