import TestSupport
import Testing

@testable import TreeEngine

/// Tests that a compaction between transactions changes nothing visible but ids.
struct CompactionTests {
  @Test(arguments: Seed.seeds(count: 4))
  func `changes since any commit are the same after compactions`(seed: UInt64) {
    let rules: [ExpansionRule] = [.all, .none, .levels(1), .levels(2)]
    run(HistoryPair<Fanout<4>>(rules: rules, limits: HistoryLimits()), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `changes of filtered and reordered views are the same after compactions`(seed: UInt64) {
    let rules: [ExpansionRule] = [.all, .none, .levels(1), .levels(2)]
    run(HistoryPair<Fanout<4>>(rules: rules, limits: HistoryLimits(), isLayered: true), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 5))
  func `changes of views with a short history are the same after compactions`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = HistoryLimits(
      commits: random.number(in: 1...8),
      rows: random.number(in: 0...60),
      removedNodes: random.number(in: 0...15),
      readings: random.number(in: 0...30)
    )
    let rules: [ExpansionRule] = [.all, .levels(1)]
    run(HistoryPair<Fanout<64>>(rules: rules, limits: limits, isLayered: true), seed: seed)
  }

  private func run<Width: NodeWidth>(_ given: consuming HistoryPair<Width>, seed: UInt64) {
    var history = given
    var random = SeededGenerator(seed: seed)
    for step in 0..<Seed.operations(default: 40) {
      let context = "SEED=\(seed) step \(step)"
      history.randomTransaction(&random)
      if random.oneIn(3) {
        let keys = history.pair.naive.nodes.map { (history.pair.id($0), Array($0.key.utf8)) }
        let new = history.pair.tree.compact()
        for (node, key) in keys {
          let found = new[node].map { Array(history.pair.tree.key(of: $0)) }
          #expect(found == key, "\(context)")
        }
        history.checkNothingIsUnused(context)
        history.pair.check(pageSize: 5, context)
      }
      history.checkLimits(context)
      for since in history.remembered where random.oneIn(3) || since == history.remembered.first {
        history.check(since: since, context)
      }
    }
  }

  @Test func `a compaction numbers nodes in pre-order`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    var random = SeededGenerator(seed: 3)
    for _ in 0..<40 {
      pair.tree.begin()
      _ = pair.randomOperation(&random)
      pair.tree.commit()
    }
    pair.tree.compact()
    #expect(
      pair.naive.nodes.map { pair.id($0).index } == (1...Int32(pair.naive.nodes.count)).map(\.self)
    )
  }

  @Test func `a compaction is wanted when half of the memory is unused, and not right after one`()
    throws
  {
    var pair = EnginePair<Fanout<64>>(rules: [.all])
    pair.tree.begin()
    let root = pair.naive.root
    for number in 0..<4_000 {
      try pair.insert([("k\(number)", 0, .leaf)], object: "0", under: root, at: root.children.count)
    }
    pair.tree.commit()
    var compactions: [Int] = []
    while root.children.count > 1_000 {
      pair.tree.begin()
      pair.remove(root.children[root.children.count / 2])
      pair.tree.commit()
      guard pair.tree.wantsCompaction else { continue }
      compactions.append(root.children.count)
      pair.tree.compact()
      let wantsMore = pair.tree.wantsCompaction
      #expect(!wantsMore)
    }
    #expect(compactions.count == 1 && abs((compactions.first ?? 0) - 2_000) < 100, "\(compactions)")
  }

  @Test func `a rollback leaves no bytes`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    try pair.insert([("a", 0, .leaf)], object: "1", under: pair.naive.root, at: 0)
    pair.tree.commit()
    let before = pair.tree.byteCount
    let state = pair.naive.copyState()
    pair.tree.begin()
    try pair.insert([("b", 0, .leaf)], object: "[1,2,3]", under: pair.naive.root, at: 0)
    if let node = pair.naive.byKey["a"] { pair.update(node, "[4,5,6]") }
    pair.tree.rollback()
    pair.naive.restore(state)
    #expect(pair.tree.byteCount == before)
    pair.check(pageSize: 3, "")
  }
}

extension HistoryPair {
  /// Checks that no memory is unused after a compaction.
  fileprivate func checkNothingIsUnused(_ context: String) {
    let forest = pair.tree.editor.base.forest.sequence
    #expect(pair.tree.editor.base.forest.freeNodes.isEmpty, "\(context)")
    #expect(limboCount == pair.tree.history.removedCount, "\(context)")
    #expect(forest.freeLeaf < 0 && forest.freeInner < 0, "\(context)")
    #expect(pair.tree.editor.base.forest.keyArena.garbage == 0, "\(context)")
    #expect(pair.tree.editor.base.forest.objectArena.garbage == 0, "\(context)")
    let ids = pair.tree.editor.base.forest.records.count
    #expect(ids == pair.tree.nodeCount + 1 + limboCount, "\(context)")
  }
}
