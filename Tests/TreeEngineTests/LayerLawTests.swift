import TestSupport
import Testing

@testable import TreeEngine

/// Tests with random transactions on filtered and reordered views of an engine and a naive tree.
struct LayerLawTests {
  @Test(arguments: Seed.seeds(count: 6))
  func `filtered and reordered views obey the laws at fan-out 4`(seed: UInt64) {
    run(EnginePair<Fanout<4>>(rules: [.all, .none, .levels(1), .levels(2)]), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `filtered and reordered views obey the laws at the production fan-out`(seed: UInt64) {
    run(EnginePair<Fanout<64>>(rules: [.all, .none, .levels(1), .levels(2)]), seed: seed)
  }

  private func run<Width: NodeWidth>(_ given: consuming EnginePair<Width>, seed: UInt64) {
    var pair = given
    var random = SeededGenerator(seed: seed)
    pair.setFirstLayers(&random)
    for step in 0..<Seed.operations(default: 60) {
      let before = pair.ids.indices.map { pair.naive.lines(in: $0) }
      let reorderings = pair.naive.reorderings
      let state = pair.naive.snapshot
      let count = random.choice([1, 1, 2, 3, 6])
      pair.tree.begin(listLimit: count > 1 ? .max : random.choice([0, 2, .max]))
      let undo = random.oneIn(3) ? pair.naive.copyState() : nil
      pair.naive.moved = []
      pair.naive.updated = []
      var done: [String] = []
      for _ in 0..<count {
        done.append(
          random.oneIn(6) ? pair.randomLayerOperation(&random) : pair.randomOperation(&random)
        )
      }
      let context = "SEED=\(seed) step \(step): \(done)"
      let isResolved = undo == nil || random.oneIn(3)
      if isResolved {
        pair.updateRows()
        for (view, id) in pair.ids.enumerated() {
          let after = pair.naive.lines(in: view)
          let list = pair.tree.changes(of: id)
          checkLaws(
            list,
            before: before[view],
            after: after,
            wasReordered: pair.naive.reorderings[view] != reorderings[view],
            moved: pair.naive.movers(in: view),
            "\(context) view \(view)"
          )
        }
        if pair.naive.snapshot != state { pair.checkSomethingChanged(context) }
      }
      if let undo {
        // The update is stopped at a random step, or not at all.
        var steps = random.number(in: 0...60)
        if !isResolved {
          try? pair.updateRows { count throws(Interruption) in
            steps -= count
            if steps < 0 { throw Interruption() }
          }
        }
        pair.tree.rollback()
        pair.naive.restore(undo)
        #expect(pair.naive.snapshot == state, "\(context)")
      } else {
        pair.tree.commit()
        if random.oneIn(4) { pair.tree.removeUnusedOrderings() }
        if random.oneIn(10) { pair.tree.compact() }
      }
      pair.check(pageSize: random.number(in: 1...7), context)
    }
  }
}

extension EnginePair {
  /// Commits filters and orders of views, two of which are in breadth-first order.
  fileprivate mutating func setFirstLayers(_ random: inout SeededGenerator) {
    tree.begin()
    for view in ids.indices {
      if view != 1 { setFilter(random.choice(["1", "2"]), in: view) }
      if view < 2 { setOrder(.breadthFirst, in: view) }
      if view > 0 { setSort(random.choice(NaiveSort.allCases), in: view) }
    }
    updateRows()
    tree.commit()
  }
}
