import TestSupport
import Testing

@testable import TreeEngine

/// Tests of all pairs of operations on all small forests, in three views: all, none and roots
/// expanded.
///
/// With `EXHAUSTIVE=1` these are all 400 000 pairs on all forests of up to five nodes, which takes
/// some minutes. Without it, all pairs on forests of up to two nodes and samples on larger ones are
/// tried: about 9 000.
struct ExhaustiveTests {
  static let rules: [ExpansionRule] = [.all, .none, .levels(1)]

  /// A part of the forests with a number of nodes, and the share of pairs tried without
  /// `EXHAUSTIVE`.
  ///
  /// Forests of five nodes are divided into several parts, so that they run on several cores.
  struct Share: Sendable, CustomTestStringConvertible {
    var nodes: Int
    var part = 0
    var parts = 1
    var oneFirstIn = 1
    var oneSecondIn = 1
    var testDescription: String { "\(nodes) nodes, part \(part + 1) of \(parts)" }
  }

  static let shares =
    (0...2).map { Share(nodes: $0) }
    + [Share(nodes: 3, oneFirstIn: 4), Share(nodes: 4, oneFirstIn: 20)]
    + (0..<6).map { Share(nodes: 5, part: $0, parts: 6, oneFirstIn: 30, oneSecondIn: 9) }

  @Test(arguments: shares)
  func `pairs of operations on small forests obey the laws of change lists`(share: Share) throws {
    var random = SeededGenerator(seed: Seed.fromEnvironment() &+ UInt64(share.part))
    var pairs = 0
    for (number, depths) in smallForests(nodes: share.nodes).enumerated()
    where number % share.parts == share.part {
      var before = try EnginePair<Fanout<4>>(depths: depths, rules: Self.rules)
      for first in SmallOperation.all(on: before.naive) {
        if !Seed.isExhaustive, !random.oneIn(share.oneFirstIn) { continue }
        var after = try EnginePair<Fanout<4>>(depths: depths, rules: Self.rules)
        let context = "SEED=\(Seed.fromEnvironment()) \(depths) \(first)"
        try after.transact([first], commit: true, context)
        for second in SmallOperation.all(on: after.naive) {
          if !Seed.isExhaustive, !random.oneIn(share.oneSecondIn) { continue }
          let single = try after.transact([second], commit: false, "\(context), \(second)")
          let both = try before.transact([first, second], commit: false, "\(context) + \(second)")
          #expect(single == both, "a batch is not its operations: \(context) + \(second)")
          pairs += 1
        }
      }
    }
    #expect(pairs >= (share.nodes == 0 ? 9 : 100))
  }
}

extension EnginePair {
  /// Runs a transaction and checks its change lists, and that a rollback leaves nothing behind.
  ///
  /// - Returns: The rows before the end of the transaction, by view.
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
      // The second operation of a batch has the same effect as on its own.
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

  /// Returns the rows of the engine as lines of the naive tree.
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
