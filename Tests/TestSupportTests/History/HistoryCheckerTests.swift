import TestSupport
import Testing

/// Tests that the checker of histories accepts valid histories and rejects every kind of error.
struct HistoryCheckerTests {
  private static let requests = 300
  /// A short search, as it does not matter here if it is given up.
  private static let maxSteps = 5_000

  @Test(arguments: Seed.seeds(count: 5))
  func `a history of a linearizable tree is accepted`(seed: UInt64) throws {
    let tree = try SimulatedTree(seed: seed, requests: Seed.operations(default: Self.requests))
    let history = tree.history
    let isMixed =
      history.writes.contains { $0.list != nil }
      && history.writes.contains { if case .refused = $0.outcome { true } else { false } }
      && history.writes.contains { if case .unknown = $0.outcome { true } else { false } }
    #expect(isMixed, "SEED=\(seed)")
    let verdict = HistoryChecker.check(history)
    #expect(verdict == .linearizable, "SEED=\(seed)")
  }

  /// Many writes have no answer, so that there are many ways to place them.
  @Test(arguments: Seed.seeds(count: 12))
  func `a history with many writes without an answer is accepted`(seed: UInt64) throws {
    let requests = Seed.operations(default: Self.requests)
    let tree = try SimulatedTree(seed: seed, requests: requests, failures: .many)
    let verdict = HistoryChecker.check(tree.history)
    #expect(verdict == .linearizable, "SEED=\(seed)")
  }

  /// The refusal is right only after the batch without an answer, which came after a jump.
  @Test func `a write may be refused because of one without an answer`() {
    func insert(_ key: ModelKey, at time: Int) -> TreeHistory.Write {
      let node = ModelNestedNode(key)
      let insertion = ModelOperation.insert(node, parent: nil, section: "A", place: .unspecified)
      return TreeHistory.Write(session: nil, operations: [insertion], sent: time)
    }
    func tree(_ revision: Int, _ count: Int, at time: Int) -> TreeHistory.Read {
      let content = TreeHistory.Content.tree(revision: revision, nodeCount: count)
      return TreeHistory.Read(sent: time, answered: time + 1, content: content)
    }
    var history = TreeHistory(name: "refused", options: HistoryWriter.tree)
    var list = ChangeList()
    (list.revision, list.treeRevision, list.nodeCount) = (1, 1, 3)
    history.writes = [insert("a", at: 1), insert("u", at: 5), insert("u", at: 7)]
    history.writes[0].outcome = .acknowledged(list, at: 2)
    let error = ModelError(code: .duplicateKey, operation: 0)
    history.writes[2].outcome = .refused(error, at: 8)
    history.reads = [tree(1_000, 3, at: 3), tree(1_001, 4, at: 9)]
    #expect(HistoryChecker.check(history) == .linearizable)
    // Without that one, nothing explains it.
    history.writes.remove(at: 1)
    history.reads.removeLast()
    guard case .violated = HistoryChecker.check(history) else {
      Issue.record("nothing is refused without a reason")
      return
    }
  }

  @Test func `a search that is given up is no violation`() throws {
    let tree = try SimulatedTree(seed: 1, requests: Self.requests, failures: .many)
    guard case .undecided(let reason) = HistoryChecker.check(tree.history, maxSteps: 1) else {
      Issue.record("the search is longer than one step")
      return
    }
    #expect(reason.contains("given up after 1 steps"))
  }

  @Test(arguments: HistorySpoiler.allCases, Seed.seeds(count: 6))
  func `an error in a history is found`(_ spoiler: HistorySpoiler, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tree = try SimulatedTree(seed: seed, requests: Seed.operations(default: Self.requests))
    let spoiled = try #require(spoiler.spoil(tree, &random), "SEED=\(seed)")
    let verdict = HistoryChecker.check(spoiled, maxSteps: Self.maxSteps)
    #expect(verdict != .linearizable, "SEED=\(seed): \(spoiler)")
  }
}
