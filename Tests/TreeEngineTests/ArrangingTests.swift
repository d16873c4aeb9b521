import TestSupport
import Testing

@testable import TreeEngine

struct ArrangingTests {
  @Test(arguments: Seed.seeds(count: 16))
  func `a new order of children moves as few of them as possible`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pair = try leaves(random.number(in: 1...9))
    let children = pair.naive.root.children
    let order = children.shuffled(using: &random)
    pair.tree.begin()
    pair.arrange(order, of: pair.naive.root)
    let list = pair.tree.changes(of: pair.ids[0])
    let moved = list.placements.reduce(0) { $0 + $1.count }
    #expect(moved == children.count - mostInOrder(order.map(\.serial)), "SEED=\(seed)")
    #expect(list.deletions.isEmpty && list.updates.isEmpty, "SEED=\(seed)")
    pair.tree.commit()
    pair.check(pageSize: 3, "SEED=\(seed)")
  }

  @Test func `a child from elsewhere does not move children that stay in order`() throws {
    var pair = try leaves(5)
    let nodes = pair.naive.nodes
    pair.tree.begin()
    try pair.setChildren([nodes[3], nodes[4]], of: nodes[0])
    pair.tree.commit()
    pair.tree.begin()
    try pair.setChildren([nodes[3], nodes[2], nodes[4]], of: nodes[0])
    let list = pair.tree.changes(of: pair.ids[0])
    #expect(list.placements == [ChangeList.Placement(index: 4, newIndex: 2, count: 1)])
    #expect(list.deletions.isEmpty)
    pair.tree.commit()
    pair.check(pageSize: 3, "after both")
  }

  @Test func `an ancestor as a child is refused as a cycle`() throws {
    var pair = try leaves(2)
    let nodes = pair.naive.nodes
    pair.tree.begin()
    try pair.setChildren([nodes[1]], of: nodes[0])
    let wanted = [pair.id(nodes[0])]
    let parent = pair.id(nodes[1])
    #expect(throws: TreeError.cycle) { try pair.tree.setChildOrder(wanted, of: parent) }
    pair.tree.commit()
    pair.check(pageSize: 3, "after the refusal")
  }

  private func leaves(_ count: Int) throws -> EnginePair<Fanout<4>> {
    try EnginePair(depths: Array(repeating: 0, count: count), rules: [.all])
  }

  /// Returns the length of a longest increasing subsequence, by trying all.
  private func mostInOrder(_ values: [Int]) -> Int {
    (0..<(1 << values.count)).reduce(0) { most, subset in
      let chosen = values.indices.filter { subset & (1 << $0) != 0 }.map { values[$0] }
      return chosen == chosen.sorted() ? max(most, chosen.count) : most
    }
  }
}
