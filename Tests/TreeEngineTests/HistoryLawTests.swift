import TestSupport
import Testing

@testable import TreeEngine

/// Tests of the changes since a remembered commit.
struct HistoryLawTests {
  @Test(arguments: Seed.seeds(count: 4))
  func `changes since any commit obey the laws of one transaction`(seed: UInt64) {
    let rules: [ExpansionRule] = [.all, .none, .levels(1), .levels(2)]
    run(HistoryPair<Fanout<4>>(rules: rules, limits: HistoryLimits()), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `changes of filtered and reordered views since any commit obey the laws`(seed: UInt64) {
    let rules: [ExpansionRule] = [.all, .none, .levels(1), .levels(2)]
    run(HistoryPair<Fanout<4>>(rules: rules, limits: HistoryLimits(), isLayered: true), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `changes since any commit obey the laws at the production fan-out`(seed: UInt64) {
    let limits = HistoryLimits()
    run(HistoryPair<Fanout<64>>(rules: [.all, .levels(1)], limits: limits), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `the history keeps what is within its limits and no more`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = HistoryLimits(
      commits: random.number(in: 1...8),
      rows: random.number(in: 0...60),
      totalRows: random.number(in: 0...100),
      removedNodes: random.number(in: 0...15),
      readings: random.number(in: 0...30)
    )
    run(HistoryPair<Fanout<4>>(rules: [.all, .levels(1)], limits: limits), seed: seed)
  }

  @Test func `a tree with many views remembers fewer commits for each, but some`() throws {
    var pair = EnginePair<Fanout<4>>(
      rules: [ExpansionRule](repeating: .all, count: 20),
      history: HistoryLimits(totalRows: 400)
    )
    for step in 0..<100 {
      pair.tree.begin()
      let leaf = [("\(step)", 0, ChildState.leaf)]
      try pair.insert(leaf, object: "1", under: pair.naive.root, at: 0)
      pair.tree.commit()
      #expect(pair.tree.history.viewWeight <= 400)
      let remembered = pair.tree.commitNumber - pair.tree.oldestCommit(of: pair.ids[0])
      #expect((min(step + 1, 15)...20).contains(remembered))
    }
  }

  private func run<Width: NodeWidth>(_ given: consuming HistoryPair<Width>, seed: UInt64) {
    var history = given
    var random = SeededGenerator(seed: seed)
    for step in 0..<Seed.operations(default: 40) {
      let context = "SEED=\(seed) step \(step)"
      history.randomTransaction(&random)
      history.checkLimits(context)
      history.checkLast(context)
      for since in history.remembered where random.oneIn(3) || since == history.remembered.first {
        history.check(since: since, context)
      }
      if random.oneIn(10) { history.pair.check(pageSize: 5, context) }
    }
  }

  @Test func `a new view has a history from its creation on, and a removed view leaves none`()
    throws
  {
    var history = HistoryPair<Fanout<4>>(rules: [.all], limits: HistoryLimits())
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20 { history.randomTransaction(&random) }
    let late = history.pair.tree.addView(rule: .all)
    let oldest = history.pair.tree.oldestCommit(of: late)
    #expect(oldest == history.pair.tree.commitNumber)
    history.pair.tree.removeView(history.pair.ids[0])
    history.pair.tree.removeView(late)
    #expect(history.pair.tree.history.removedCount == 0)
    #expect(history.pair.tree.history.data.count == 0)
  }

  @Test func `with limits of zero nothing is remembered`() throws {
    var history = HistoryPair<Fanout<4>>(rules: [.all], limits: .none)
    var random = SeededGenerator(seed: 6)
    for _ in 0..<30 { history.randomTransaction(&random) }
    let tree = history.pair.tree.commitNumber
    #expect(history.pair.tree.oldestCommit(of: history.pair.ids[0]) == tree)
    #expect(history.limboCount == 0)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `changes with rows that were not listed still lead to the rows after`(seed: UInt64) {
    let limits = HistoryLimits(listedRows: 0)
    var history = HistoryPair<Fanout<4>>(rules: [.all, .none], limits: limits)
    var random = SeededGenerator(seed: seed)
    for step in 0..<30 {
      history.randomTransaction(&random, listLimit: 2)
      history.checkLast("SEED=\(seed) step \(step)")
      for since in history.remembered where random.oneIn(3) {
        history.checkApplies(since: since, "SEED=\(seed) step \(step)")
      }
    }
  }
}
