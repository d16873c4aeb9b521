import TestSupport
import Testing

@testable import TreeEngine

/// Tests that a tree read from its image equals the original in everything visible.
struct ImageLawTests {
  private static let rules: [ExpansionRule] = [.all, .none, .levels(1), .levels(2)]

  @Test(arguments: Seed.seeds(count: 4))
  func `changes since any commit are the same after a round trip`(seed: UInt64) throws {
    let limits = HistoryLimits()
    try run(HistoryPair<Fanout<4>>(rules: Self.rules, limits: limits), limits, seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `changes of filtered and reordered views are the same after a round trip`(
    seed: UInt64
  ) throws {
    let limits = HistoryLimits()
    let pair = HistoryPair<Fanout<4>>(rules: Self.rules, limits: limits, isLayered: true)
    try run(pair, limits, seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 5))
  func `changes of views with a short history are the same after a round trip`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let limits = HistoryLimits(
      commits: random.number(in: 1...8),
      rows: random.number(in: 0...60),
      totalRows: random.number(in: 0...100),
      removedNodes: random.number(in: 0...15),
      readings: random.number(in: 0...30)
    )
    let pair = HistoryPair<Fanout<64>>(rules: [.all, .levels(1)], limits: limits, isLayered: true)
    try run(pair, limits, seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 5))
  func `a round trip works without a history`(seed: UInt64) throws {
    try run(HistoryPair<Fanout<4>>(rules: Self.rules, limits: .none), .none, seed: seed)
  }

  private func run<Width: NodeWidth>(
    _ given: consuming HistoryPair<Width>,
    _ limits: HistoryLimits,
    seed: UInt64
  ) throws {
    var history = given
    var random = SeededGenerator(seed: seed)
    for step in 0..<Seed.operations(default: 40) {
      let context = "SEED=\(seed) step \(step)"
      history.randomTransaction(&random)
      if random.oneIn(3) {
        if random.oneIn(4) { history.pair.tree.compact() }
        let ids = history.pair.naive.nodes.map { history.pair.id($0) }
        let bytes = history.pair.tree.imageBytes(inPiecesFrom: &random)
        history.pair.replaceTree(by: try SizedTree(bytes, inPiecesFrom: &random, limits))
        #expect(history.pair.naive.nodes.map { history.pair.id($0) } == ids, "\(context)")
        #expect(history.pair.tree.imageBytes(inPiecesFrom: &random) == bytes, "\(context)")
        history.pair.check(pageSize: 5, context)
      }
      history.checkLimits(context)
      history.checkLast(context)
      for since in history.remembered where random.oneIn(3) || since == history.remembered.first {
        history.check(since: since, context)
      }
    }
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `a copy continues like the original and gives new nodes the same ids`(seed: UInt64) throws {
    let limits = HistoryLimits(commits: 12)
    var original = HistoryPair<Fanout<4>>(rules: Self.rules, limits: limits, isLayered: true)
    var copy = HistoryPair<Fanout<4>>(rules: Self.rules, limits: limits, isLayered: true)
    for step in 0..<Seed.operations(default: 40) {
      let context = "SEED=\(seed) step \(step)"
      var random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(step))
      var same = random
      original.randomTransaction(&random)
      copy.randomTransaction(&same)
      expectAlike(original.pair, copy.pair, context)
      guard random.oneIn(4) else { continue }
      let bytes = copy.pair.tree.imageBytes(inPiecesFrom: &random)
      copy.pair.replaceTree(by: try SizedTree(bytes, inPiecesFrom: &random, limits))
    }
  }

  private func expectAlike<Width: NodeWidth>(
    _ original: borrowing EnginePair<Width>,
    _ copy: borrowing EnginePair<Width>,
    _ context: String
  ) {
    let nodes = original.naive.nodes.map { original.id($0) }
    #expect(nodes == copy.naive.nodes.map { copy.id($0) }, "\(context)")
    let number = original.tree.commitNumber
    #expect(copy.tree.commitNumber == number, "\(context)")
    for (view, id) in original.ids.enumerated() {
      let other = copy.ids[view]
      let oldest = original.tree.oldestCommit(of: id)
      #expect(copy.tree.oldestCommit(of: other) == oldest, "\(context)")
      let rows = original.tree.rows(from: 0, limit: .max, in: id)
      #expect(copy.tree.rows(from: 0, limit: .max, in: other) == rows, "\(context)")
      let selected = original.tree.selectedNodes(in: id)
      #expect(copy.tree.selectedNodes(in: other) == selected, "\(context)")
      for since in oldest...number {
        let changes = original.tree.changes(of: id, since: since)
        #expect(copy.tree.changes(of: other, since: since) == changes, "\(context) \(since)")
        let unloaded = original.tree.expandedUnloaded(in: id, since: since)
        let othersUnloaded = copy.tree.expandedUnloaded(in: other, since: since)
        #expect(othersUnloaded == unloaded, "\(context) \(since)")
      }
    }
  }

  @Test(arguments: Seed.seeds(count: 5))
  func `an image contains the tree at the moment when it was taken`(seed: UInt64) throws {
    let limits = HistoryLimits(commits: 12)
    var history = HistoryPair<Fanout<4>>(rules: Self.rules, limits: limits, isLayered: true)
    var random = SeededGenerator(seed: seed)
    for step in 0..<20 {
      let expected = history.pair.tree.imageBytes(inPiecesFrom: &random)
      var image = history.pair.tree.image()
      var bytes = image.next(atLeast: random.number(in: 0...30))
      for _ in 0..<3 { history.randomTransaction(&random) }
      if random.oneIn(3) { history.pair.tree.compact() }
      while case let piece = image.next(atLeast: 1), !piece.isEmpty { bytes += piece }
      #expect(bytes == expected, "SEED=\(seed) step \(step)")
    }
  }

  @Test func `an image keeps the numbers of views and the slots of removed views`() throws {
    var random = SeededGenerator(seed: 1)
    var tree = Tree<4>()
    let names = (0..<5).map { _ in tree.addView(rule: .all) }
    tree.removeView(names[3])
    tree.removeView(names[1])
    tree = try SizedTree(tree.imageBytes(inPiecesFrom: &random), inPiecesFrom: &random, .none)
    #expect(tree.editor.base.viewCount == 3)
    let rule = tree.rule(of: names[4])
    #expect(rule == .all)
    #expect((tree.addView(rule: .all), tree.addView(rule: .all)) == (names[1], names[3]))
  }
}
