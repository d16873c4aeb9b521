import TestSupport
import Testing

/// Tests that the checker of histories accepts valid histories and rejects every kind of error.
struct HistoryCheckerTests {
  private static let requests = 300

  @Test(arguments: Seed.seeds(count: 5))
  func `a history of a linearizable tree is accepted`(seed: UInt64) throws {
    let tree = try SimulatedTree(seed: seed, requests: Seed.operations(default: Self.requests))
    let history = tree.history
    let isMixed =
      history.writes.contains { $0.list != nil }
      && history.writes.contains { if case .refused = $0.outcome { true } else { false } }
      && history.writes.contains { if case .unknown = $0.outcome { true } else { false } }
    #expect(isMixed, "SEED=\(seed)")
    let violations = HistoryChecker.violations(of: history)
    #expect(violations.isEmpty, "SEED=\(seed): \(violations.prefix(3))")
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
    #expect(HistoryChecker.violations(of: history).isEmpty)
    // Without that one, nothing explains it.
    history.writes.remove(at: 1)
    history.reads.removeLast()
    #expect(!HistoryChecker.violations(of: history).isEmpty)
  }

  @Test(arguments: HistorySpoiler.allCases, Seed.seeds(count: 6))
  func `an error in a history is found`(_ spoiler: HistorySpoiler, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tree = try SimulatedTree(seed: seed, requests: Seed.operations(default: Self.requests))
    let spoiled = try #require(spoiler.spoil(tree, &random), "SEED=\(seed)")
    #expect(!HistoryChecker.violations(of: spoiled).isEmpty, "SEED=\(seed): \(spoiler)")
  }
}
