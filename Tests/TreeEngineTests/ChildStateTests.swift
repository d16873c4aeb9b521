import Testing

@testable import TreeEngine

/// Tests of child states and expected child counts.
struct ChildStateTests {
  @Test func `a hint is shown until children come, and again after they are removed`() throws {
    var pair = try pair(.unloaded)
    let node = pair.naive.nodes[0]
    expect(pair.shownCount(node), nil)
    pair.tree.begin()
    pair.setChildState(.unloaded, hint: 7, of: node)
    let fields = pair.tree.changes(of: pair.ids[0]).updates.map(\.fields)
    #expect(fields == [.childCount])
    pair.tree.commit()
    expect(pair.shownCount(node), 7)
    pair.tree.begin()
    try pair.insert([("b", 0, .leaf)], object: "1", under: node, at: 0)
    pair.tree.commit()
    expect(pair.shownCount(node), 1)
    pair.tree.begin()
    pair.setChildState(.loading, hint: 7, of: node)
    expect(pair.shownCount(node), 1)
    pair.remove(pair.naive.nodes[1])
    expect(pair.shownCount(node), 7)
    pair.tree.rollback()
    expect(pair.shownCount(node), 1)
  }

  @Test func `a leaf is not expanded, and follows the rule again once it is not a leaf`() throws {
    var pair = try pair(.loaded)
    let node = pair.naive.nodes[0]
    pair.tree.begin()
    pair.setExpanded(false, node, levels: 1, in: 0)
    pair.tree.commit()
    pair.tree.begin()
    pair.setChildState(.leaf, hint: nil, of: node)
    pair.tree.commit()
    pair.check(pageSize: 1, "a leaf")
    pair.tree.begin()
    pair.setChildState(.unloaded, hint: 3, of: node)
    let fields = pair.tree.changes(of: pair.ids[0]).updates.map(\.fields)
    #expect(fields == [[.childState, .childCount, .expanded]])
    pair.tree.commit()
    pair.check(pageSize: 1, "a leaf no more")
  }

  @Test func `an inserted node keeps its hint`() {
    var tree = Tree<4>()
    let view = tree.addView(rule: .all)
    let new = NewNode(key: 0..<1, object: 1..<2, depth: 0, childState: .unloaded, hint: 12)
    tree.begin()
    #expect(throws: Never.self) {
      try tree.insert([new], bytes: Array("a1".utf8), under: .forestRoot, at: 0)
    }
    tree.commit()
    let row = tree.rows(from: 0, limit: 1, in: view).first
    #expect(row?.childCount == 12)
    let hint = row.flatMap { tree.childCountHint(of: $0.node) }
    #expect(hint == 12)
    tree.begin()
    if let row { tree.remove(row.node) }
    tree.commit()
    tree.checkInvariants()
  }

  private func pair(_ state: ChildState) throws -> EnginePair<Fanout<4>> {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    try pair.insert([("a", 0, state)], object: "1", under: pair.naive.root, at: 0)
    pair.tree.commit()
    return pair
  }

  private func expect(_ count: Int?, _ expected: Int?) { #expect(count == expected) }
}

extension EnginePair {
  fileprivate func shownCount(_ node: NaiveTree.Node) -> Int? {
    tree.row(of: id(node), in: ids[0]).childCount
  }
}
