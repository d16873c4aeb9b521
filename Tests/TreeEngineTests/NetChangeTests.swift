import TestSupport
import Testing

@testable import TreeEngine

/// Tests that changes which cancel within a transaction do not count.
struct NetChangeTests {
  @Test(arguments: Seed.seeds(count: 8))
  func `a transaction reports exactly its net changes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pair = EnginePair<Fanout<4>>(rules: [.all, .none])
    pair.tree.begin()
    for key in 0..<6 {
      try pair.insert([("k\(key)", 0, .leaf)], object: "0", under: pair.naive.root, at: key)
    }
    pair.tree.commit()
    for step in 0..<Seed.operations(default: 80) {
      let before = pair.naive.snapshot
      pair.tree.begin()
      for _ in 0..<random.choice([2, 3, 4]) { try moveOrPass(&pair, &random) }
      let changed = pair.naive.snapshot != before
      let context = "SEED=\(seed) step \(step): \(before) to \(pair.naive.snapshot)"
      #expect(pair.tree.hasDataChanges == changed, "\(context)")
      for id in pair.ids where !changed {
        #expect(pair.tree.changes(of: id).rowEntryCount == 0, "\(context)")
      }
      pair.tree.commit()
    }
    pair.check(pageSize: 3, "SEED=\(seed)")
  }

  @Test func `the search for net changes counts each sibling that moved`() throws {
    let count = 300
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    for key in 0..<count {
      try pair.insert([("k\(key)", 0, .leaf)], object: "0", under: pair.naive.root, at: key)
    }
    pair.tree.commit()
    var children: [NodeID] = []
    pair.tree.forEachChild(of: .forestRoot) { child in
      children.append(child)
      return true
    }
    pair.tree.begin()
    pair.tree.arrange(children: children.reversed(), of: .forestRoot)
    pair.tree.arrange(children: children, of: .forestRoot)
    var steps = 0
    let isChanged = try pair.tree.hasDataChanges { steps += $0 }
    #expect(!isChanged && steps >= 4 * count, "\(steps)")
    pair.tree.rollback()
  }

  @Test func `setting a rule undoes earlier toggles`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    let list = [(key: "a", depth: 0, state: ChildState.loaded), ("b", 1, .loaded)]
    try pair.insert(list, object: "0", under: pair.naive.root, at: 0)
    pair.tree.commit()
    let (a, b) = (pair.naive.nodes[0], pair.naive.nodes[1])
    pair.tree.begin()
    pair.setExpanded(false, a, levels: 1, in: 0)
    expect(pair.tree.hasExpansionChanges(in: pair.ids[0]), "of the transaction so far")
    pair.setRule(.all, in: 0)
    expect(!pair.tree.hasExpansionChanges(in: pair.ids[0]), "of the transaction so far")
    pair.setExpanded(false, b, levels: 1, in: 0)
    expect(pair.tree.hasExpansionChanges(in: pair.ids[0]), "of the transaction so far")
    pair.tree.commit()
    pair.tree.begin()
    pair.setRule(.none, in: 0)
    pair.setRule(.all, in: 0)
    expect(pair.tree.hasExpansionChanges(in: pair.ids[0]), "b was collapsed")
    pair.setExpanded(false, b, levels: 1, in: 0)
    expect(!pair.tree.hasExpansionChanges(in: pair.ids[0]), "of the transaction so far")
    pair.tree.commit()
  }

  /// Moves a node, or inserts and removes one. With so few nodes, changes often cancel.
  private func moveOrPass(
    _ pair: inout EnginePair<Fanout<4>>,
    _ random: inout SeededGenerator
  ) throws {
    let node = random.choice(pair.naive.nodes)
    if random.oneIn(4) {
      let passing = [(key: "passing", depth: 0, state: ChildState.leaf)]
      try pair.insert(passing, object: "1", under: pair.naive.root, at: 0)
      let end = pair.naive.root.children.count - (node.parent === pair.naive.root ? 1 : 0)
      try pair.move(node, under: pair.naive.root, at: end)
      guard let passing = pair.naive.byKey["passing"] else { return }
      pair.remove(passing)
      return
    }
    let parent = random.oneIn(5) ? random.choice(pair.naive.nodes) : pair.naive.root
    guard !parent.isAtOrBelow(node) else { return }
    let room = parent.children.count - (node.parent === parent ? 1 : 0)
    try pair.move(node, under: parent, at: random.number(in: 0...room))
  }
}
