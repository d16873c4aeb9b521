import TestSupport
import Testing

@testable import TreeEngine

/// Every pair of operations on every small forest, in three views of it: all expanded, none, roots.
///
/// With up to three nodes these are all pairs, with four and five every so-manieth: 24 000 pairs or
/// so. `ITERATIONS=1000` or more takes all 400 000.
struct ExhaustiveTests {
  static let rules: [ExpansionRule] = [.all, .none, .levels(1)]

  @Test(arguments: [(0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 7, 1), (5, 7, 9)])
  func `all pairs of operations on all small forests keep the laws`(
    nodes: Int,
    oneFirstIn firsts: Int,
    oneSecondIn seconds: Int
  ) throws {
    var random = SeededGenerator(seed: Seed.fromEnvironment())
    var pairs = 0
    for depths in smallForests(nodes: nodes) {
      var before = try EnginePair<Fanout<4>>(depths: depths, rules: Self.rules)
      for first in SmallOperation.all(on: before.naive) {
        if !Seed.isExhaustive, !random.oneIn(firsts) { continue }
        var after = try EnginePair<Fanout<4>>(depths: depths, rules: Self.rules)
        let context = "SEED=\(Seed.fromEnvironment()) \(depths) \(first)"
        try after.transact([first], commit: true, context)
        for second in SmallOperation.all(on: after.naive) {
          if !Seed.isExhaustive, !random.oneIn(seconds) { continue }
          let single = try after.transact([second], commit: false, "\(context), \(second)")
          let both = try before.transact([first, second], commit: false, "\(context) + \(second)")
          #expect(single == both, "a batch is not its operations: \(context) + \(second)")
          pairs += 1
        }
      }
    }
    #expect(pairs >= (nodes == 0 ? 9 : 100))
  }
}

extension Seed {
  /// Whether nothing is to be left out, whatever it takes.
  static var isExhaustive: Bool { iterations(default: 0) >= 1_000 }
}

extension EnginePair {
  /// Runs a transaction and checks its change lists, and that nothing of it is left if it is not
  /// committed.
  ///
  /// - Returns: the rows with the transaction done, by view.
  @discardableResult
  fileprivate mutating func transact(
    _ operations: [SmallOperation],
    commit: Bool,
    _ context: @autoclosure () -> String
  ) throws -> [[String]] {
    let before = ids.indices.map { naive.lines(in: $0) }
    let state = naive.copyState()
    tree.begin()
    for (place, operation) in operations.enumerated() {
      // The second operation of a batch makes what it makes when it is alone.
      let isLast = place == operations.count - 1
      try apply(operation, newKey: isLast && !commit ? "last" : "first")
    }
    let after = ids.indices.map { naive.lines(in: $0) }
    for (view, id) in ids.enumerated() {
      let list = tree.changes(of: id)
      checkLaws(list, before: before[view], after: after[view], "\(context()) view \(view)")
    }
    let rows = ids.indices.map { shownRows(in: $0) }
    expect(rows == after.map { $0.map(\.summary) }, "\(context())")
    if commit {
      tree.commit()
    } else {
      tree.rollback()
      naive.restore(state)
      let restored = ids.indices.map { shownRows(in: $0) }
      expect(restored == before.map { $0.map(\.summary) }, "rolled back: \(context())")
    }
    tree.checkInvariants()
    return rows
  }

  /// What the engine shows, as far as a line has it too.
  private func shownRows(in view: Int) -> [String] {
    tree.rows(from: 0, limit: 100, in: ids[view]).map { row in
      let key = String(decoding: tree.key(of: row.node), as: UTF8.self)
      let object = String(decoding: tree.object(of: row.node), as: UTF8.self)
      let count = row.childCount.map { "\($0)" } ?? "?"
      return "\(row.depth) \(key) \(object) \(row.isExpanded) \(row.childState) \(count)"
    }
  }
}

extension NaiveTree.Line {
  fileprivate var summary: String {
    "\(depth) \(key) \(object) \(expanded) \(state) \(childCount.map { "\($0)" } ?? "?")"
  }
}
