import Testing

@testable import TreeEngine

struct ViewLifeTests {
  @Test func `a removed view does not affect others, and its slot is reused`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.levels(1), .all, .levels(1)])
    let root = pair.naive.root
    let states = ChildState.leaf
    pair.tree.begin()
    try pair.insert(
      [("a", 0, states), ("b", 1, states), ("c", 2, states)],
      object: "1",
      under: root,
      at: 0
    )
    pair.setExpanded(true, pair.naive.nodes[1], levels: 1, in: 0)
    pair.tree.commit()
    pair.tree.removeView(pair.ids[0])
    // The tree changes while the slot is vacant.
    pair.tree.begin()
    try pair.insert([("d", 0, states), ("e", 1, states)], object: "1", under: root, at: 1)
    try pair.move(pair.naive.nodes[1], under: root, at: 0)
    pair.tree.commit()
    let reused = pair.tree.addView(rule: .levels(2))
    #expect(reused == pair.ids[0])
    pair.naive.views[0] = NaiveTree.View(rule: .levels(2))
    pair.check(pageSize: 2, "a view in a place that was vacant")
  }
}
