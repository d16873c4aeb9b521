import TestSupport
import Testing

@testable import TreeEngine

/// Tests of several removals of large subtrees in a transaction with many views.
struct RemovalTests {
  /// Makes a tree of folders at the top level with a number of leaves each.
  private func makePair(folders: Int, leaves: Int, views: Int) throws -> EnginePair<Fanout<4>> {
    var pair = EnginePair<Fanout<4>>(
      rules: (0..<views).map { $0 % 2 == 0 ? .all : .none },
      history: HistoryLimits()
    )
    pair.tree.begin()
    for folder in 0..<folders {
      var list: [(key: String, depth: Int, state: ChildState)] = [("f\(folder)", 0, .loaded)]
      for leaf in 0..<leaves { list.append(("f\(folder)l\(leaf)", 1, .leaf)) }
      try pair.insert(list, object: "0", under: pair.naive.root, at: folder)
    }
    pair.tree.commit()
    return pair
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `the memory of views for a batch of removals does not grow with the rows removed`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let removals = 12
    let limit = 40
    for leaves in [30, 300] {
      var pair = try makePair(folders: removals + 3, leaves: leaves, views: 20)
      pair.tree.begin()
      for view in pair.ids.indices {
        for node in pair.naive.root.children where random.oneIn(2) {
          pair.setExpanded(view % 2 == 1, node, levels: 1, in: view)
        }
      }
      pair.tree.commit()
      let before = pair.ids.indices.map { pair.naive.lines(in: $0) }
      pair.tree.begin(removedLimit: limit)
      for node in pair.naive.root.children.shuffled(using: &random).prefix(removals) {
        pair.remove(node)
      }
      for (view, id) in pair.ids.enumerated() {
        let listed = pair.tree.editor.base.watchers[view].delta?.listed.count ?? 0
        // Short deletions are always listed.
        #expect(listed <= 2 * limit + 8 * removals, "SEED=\(seed) view \(view)")
        let after = pair.naive.lines(in: view)
        checkLaws(pair.tree.changes(of: id), before: before[view], after: after, "SEED=\(seed)")
      }
      pair.tree.commit()
      for watcher in pair.tree.editor.base.watchers {
        let kept = watcher.history.log.entries(after: pair.tree.commitNumber - 1)
        let weight = kept.reduce(0) { $0 + $1.weight }
        #expect(weight <= 2 * limit + 20 * removals, "SEED=\(seed)")
      }
    }
  }

  @Test func `rows inserted in the same transaction do not count as removed`() throws {
    var pair = try makePair(folders: 2, leaves: 50, views: 1)
    pair.tree.begin()
    pair.setExpanded(false, pair.naive.root.children[0], levels: 1, in: 0)
    pair.tree.commit()
    let before = pair.naive.lines(in: 0)
    pair.tree.begin(removedLimit: 10)
    pair.setExpanded(true, pair.naive.root.children[0], levels: 1, in: 0)
    pair.remove(pair.naive.root.children[0])
    let list = pair.tree.changes(of: pair.ids[0])
    #expect(list.rowEntryCount == 1)
    pair.checkNames(of: list, before: before, mostNamed: 10, "one row")
  }
}
