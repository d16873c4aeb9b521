import Testing

@testable import TreeEngine

struct ExpansionRuleTests {
  /// Sums must not overflow, whatever number of levels a client asks for.
  @Test(arguments: [Int.max, Int(Int32.max), Int(ExpansionRule.mostLevels), 1_000_000])
  func `a rule with more levels than the tree has shows everything`(levels: Int) throws {
    var pair = EnginePair<Fanout<4>>(rules: [.levels(levels), .all])
    pair.tree.begin()
    let list = (0..<12).map { (key: "k\($0)", depth: $0 % 4, state: ChildState.leaf) }
    for start in [0, 4, 8] {
      try pair.insert(
        Array(list[start..<(start + 4)]),
        object: "1",
        under: pair.naive.root,
        at: 0
      )
    }
    pair.tree.commit()
    pair.check(pageSize: 5, "\(levels) levels")
    pair.tree.begin()
    let nodes = pair.naive.nodes
    pair.setExpanded(false, nodes[1], levels: .max, in: 0)
    try pair.move(nodes[1], under: nodes[8], at: 1)
    pair.setExpanded(true, nodes[1], levels: .max, in: 0)
    pair.setRule(.all, in: 0)
    pair.setRule(.levels(levels), in: 1)
    pair.tree.commit()
    pair.check(pageSize: 5, "\(levels) levels, moved")
  }
}
