import TestSupport
import Testing

@testable import TreeEngine

/// Tests that a filter made on a fork fits the tree, whatever changed in the tree meanwhile.
struct AdoptionLawTests {
  @Test(arguments: Seed.seeds(count: 12))
  func `a filter made on a fork follows the tree at fan-out 4`(seed: UInt64) {
    run(EnginePair<Fanout<4>>(rules: [.all, .none, .levels(2)], history: Self.history), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `a filter made on a fork follows the tree at the production fan-out`(seed: UInt64) {
    run(
      EnginePair<Fanout<64>>(rules: [.all, .none, .levels(2)], history: Self.history),
      seed: seed
    )
  }

  /// Removed nodes are remembered for a while, so that their ids are reused late.
  private static var history: HistoryLimits {
    HistoryLimits(commits: 40, rows: 10_000, removedNodes: 10_000, readings: 10_000)
  }

  private func run<Width: NodeWidth>(_ given: consuming EnginePair<Width>, seed: UInt64) {
    var pair = given
    var random = SeededGenerator(seed: seed)
    pair.commit(operations: 30, &random)
    var adoptions = 0
    for round in 0..<30 {
      let view = random.number(in: 0...pair.ids.count - 1)
      let filter = random.choice(["1", "2", "3", "0"])
      let order = random.choice([ViewOrder.depthFirst, .breadthFirst])
      let watch = pair.tree.watchChanges()
      let prepared = pair.prepared(filter, order, in: view)
      for _ in 0..<random.number(in: 0...4) {
        pair.commit(operations: random.number(in: 1...3), &random)
      }
      if random.oneIn(8) { pair.tree.compact() }
      let context = "SEED=\(seed) round \(round) \(filter) \(order) in \(view)"
      guard let prepared, pair.tree.canFollow(since: watch) else { continue }
      adoptions += 1
      pair.adopt(prepared, filter, order, in: view, &random, context)
      pair.check(pageSize: random.number(in: 1...7), context)
      pair.tree.checkInvariants()
    }
    #expect(adoptions > 10)
  }

  @Test func `nothing follows a moment that was not recorded`() {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    let first = pair.tree.watchChanges()
    let second = pair.tree.watchChanges()
    let (isFirst, isSecond) = (
      pair.tree.canFollow(since: first), pair.tree.canFollow(since: second)
    )
    #expect(!isFirst && isSecond)
    pair.tree.compact()
    let isLast = pair.tree.canFollow(since: second)
    #expect(!isLast)
  }

  @Test func `recording ends when nothing waits for it`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    do {
      let watch = pair.tree.watchChanges()
      withExtendedLifetime(watch) {}
    }
    pair.tree.begin()
    try pair.insert(
      [(key: "k", depth: 0, state: .leaf)],
      object: "1",
      under: pair.naive.root,
      at: 0
    )
    pair.tree.commit()
    let isRecorded = pair.tree.changeRecord != nil
    #expect(!isRecorded)
  }
}

extension EnginePair {
  /// Commits some random operations.
  fileprivate mutating func commit(operations count: Int, _ random: inout SeededGenerator) {
    tree.begin()
    for _ in 0..<count { _ = randomOperation(&random) }
    settle()
    tree.commit()
  }

  /// Returns what a filter and an order make of a view's rows, made on a fork.
  fileprivate func prepared(
    _ filter: String,
    _ order: ViewOrder,
    in view: Int
  ) -> PreparedLayer<Width>? {
    var copy = self.fork()
    copy.tree.begin()
    copy.setFilter(filter, in: view)
    copy.setOrder(order, in: view)
    copy.settle()
    return copy.tree.preparedLayer(of: ids[view])
  }

  /// Sets a prepared filter on a view. Sometimes the first try is stopped.
  fileprivate mutating func adopt(
    _ prepared: PreparedLayer<Width>,
    _ filter: String,
    _ order: ViewOrder,
    in view: Int,
    _ random: inout SeededGenerator,
    _ context: String
  ) {
    let limit = random.choice([0, 3, Int.max])
    if random.oneIn(3) {
      let before = snapshot()
      var left = random.number(in: 0...20)
      tree.begin()
      try? adopt(prepared, filter, in: view, listing: limit) { steps throws(Interruption) in
        left -= steps
        if left < 0 { throw Interruption() }
      }
      tree.rollback()
      #expect(snapshot() == before, "stopped, \(context)")
    }
    let lines = naive.lines(in: view)
    let reorderings = naive.reorderings[view]
    naive.moved = []
    tree.begin()
    do throws(Interruption) {
      try adopt(prepared, filter, in: view, listing: limit) { _ in }
    } catch {
      Issue.record("nothing stopped it, \(context)")
    }
    naive.setFilter(filter, in: view)
    if naive.views[view].layer.order != order { naive.views[view].layer.reorderings += 1 }
    naive.views[view].layer.order = order
    settle()
    let list = tree.changes(of: ids[view])
    let after = naive.lines(in: view)
    if limit == .max {
      checkLaws(
        list,
        before: lines,
        after: after,
        wasReordered: naive.reorderings[view] != reorderings,
        moved: naive.moved,
        context
      )
    } else {
      let gone = list.deletions.reduce(0) { $0 + $1.count }
      let come = list.placements.reduce(0) { $0 + ($1.index == nil ? $1.count : 0) }
      #expect(lines.count - gone + come == after.count, "\(context)")
    }
    tree.commit()
  }

  private mutating func adopt(
    _ prepared: PreparedLayer<Width>,
    _ filter: String,
    in view: Int,
    listing limit: Int,
    counting count: SizedTree<Width>.StepCounter
  ) throws(Interruption) {
    try tree.adopt(prepared, listing: limit, in: ids[view], counting: count) { tree, node in
      String(decoding: tree.object(of: node), as: UTF8.self).contains(filter)
    }
  }
}
