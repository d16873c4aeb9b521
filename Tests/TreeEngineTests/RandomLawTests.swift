import TestSupport
import Testing

@testable import TreeEngine

/// Tests with random transactions on an engine and a naive tree, compared after each.
struct RandomLawTests {
  @Test(arguments: Seed.seeds(count: 6))
  func `random transactions obey the laws at fan-out 4`(seed: UInt64) {
    run(EnginePair<Fanout<4>>(rules: [.all, .none, .levels(1), .levels(2)]), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `random transactions obey the laws at the production fan-out`(seed: UInt64) {
    run(EnginePair<Fanout<64>>(rules: [.all, .none, .levels(1), .levels(2)]), seed: seed)
  }

  private func run<Width: NodeWidth>(
    _ given: consuming EnginePair<Width>,
    seed: UInt64
  ) {
    var pair = given
    var random = SeededGenerator(seed: seed)
    for step in 0..<Seed.operations(default: 60) {
      let before = pair.ids.indices.map { pair.naive.lines(in: $0) }
      let state = pair.naive.snapshot
      let count = random.choice([1, 1, 2, 3, 6])
      let isListed = count > 1 || random.oneIn(2)
      let removedLimit = random.choice([0, 1, 5, .max])
      pair.tree.begin(
        listLimit: isListed ? .max : random.number(in: 0...2),
        removedLimit: removedLimit
      )
      let undo = random.oneIn(4) ? pair.naive.copyState() : nil
      pair.naive.moved = []
      var done: [String] = []
      for _ in 0..<count { done.append(pair.randomOperation(&random, isListed: isListed)) }
      let context = "SEED=\(seed) step \(step): \(done)"
      for (view, id) in pair.ids.enumerated() {
        let after = pair.naive.lines(in: view)
        let list = pair.tree.changes(of: id)
        checkLaws(
          list,
          before: before[view],
          after: after,
          moved: pair.naive.moved,
          "\(context) view \(view)"
        )
        let mostNamed = isListed ? removedLimit : 0
        pair.checkNames(of: list, before: before[view], mostNamed: mostNamed, context)
      }
      if pair.naive.snapshot != state { pair.checkSomethingChanged(context) }
      if let undo {
        pair.tree.rollback()
        pair.naive.restore(undo)
        #expect(pair.naive.snapshot == state, "\(context)")
      } else {
        pair.tree.commit()
      }
      pair.check(pageSize: random.number(in: 1...7), context)
    }
  }
}

extension EnginePair {
  /// Checks that the transaction reports a change.
  func checkSomethingChanged(_ context: String) {
    let expanded = ids.contains { tree.hasExpansionChanges(in: $0) }
    let selected = ids.contains { tree.hasSelectionChanges(in: $0) }
    let layered = ids.contains { tree.hasLayerChanges(in: $0) }
    #expect(
      tree.hasDataChanges || expanded || selected || layered,
      "a change goes unnoticed: \(context)"
    )
  }
}
