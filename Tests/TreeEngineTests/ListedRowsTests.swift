import TestSupport
import Testing

@testable import TreeEngine

/// Tests that rows deleted and inserted many times in one transaction are listed once.
struct ListedRowsTests {
  private let depth = 60

  /// Makes a tree of a chain and a root after it.
  private func makePair(views: Int) throws -> EnginePair<Fanout<4>> {
    var pair = EnginePair<Fanout<4>>(
      rules: (0..<views).map { $0 % 2 == 0 ? .all : .levels(7) },
      history: HistoryLimits()
    )
    let chain = (0..<depth).map { (key: "c\($0)", depth: $0, state: ChildState.loaded) }
    pair.tree.begin()
    try pair.insert(chain, object: "0", under: pair.naive.root, at: 0)
    try pair.insert([("z", 0, .loaded)], object: "0", under: pair.naive.root, at: 1)
    pair.tree.commit()
    return pair
  }

  /// Returns the nodes of the chain, from its root down.
  private func chain(of pair: borrowing EnginePair<Fanout<4>>) -> [NaiveTree.Node] {
    var nodes = [pair.naive.root.children[0]]
    while let next = nodes.last?.children.first { nodes.append(next) }
    return nodes
  }

  /// Runs a transaction and checks its change lists and the number of rows that views list.
  private func check(
    _ pair: inout EnginePair<Fanout<4>>,
    _ body: (inout EnginePair<Fanout<4>>) throws -> Void
  ) rethrows {
    let before = pair.ids.indices.map { pair.naive.lines(in: $0) }
    pair.tree.begin()
    try body(&pair)
    for (view, id) in pair.ids.enumerated() {
      let listed = pair.tree.editor.base.watchers[view].delta?.listed.count ?? 0
      // Short deletions are always listed.
      #expect(listed <= before[view].count + 8 * 2 * depth, "view \(view)")
      let after = pair.naive.lines(in: view)
      checkLaws(pair.tree.changes(of: id), before: before[view], after: after, "view \(view)")
    }
    pair.tree.commit()
    pair.check(pageSize: 50, "after it")
  }

  @Test func `moving the nodes of a chain away, from the root down, lists few rows`() throws {
    var pair = try makePair(views: 4)
    try check(&pair) { pair in
      let target = pair.naive.root.children[1]
      for (place, node) in chain(of: pair).enumerated() {
        try pair.move(node, under: target, at: place)
      }
    }
  }

  @Test func `moving a subtree back and forth lists few rows`() throws {
    var pair = try makePair(views: 2)
    try check(&pair) { pair in
      let (node, target) = (pair.naive.root.children[0], pair.naive.root.children[1])
      for _ in 0..<depth {
        try pair.move(node, under: target, at: 0)
        try pair.move(node, under: pair.naive.root, at: 1)
      }
    }
  }

  @Test func `expanding and collapsing nodes repeatedly lists few rows`() throws {
    var pair = try makePair(views: 2)
    check(&pair) { pair in
      let nodes = chain(of: pair)
      for turn in 0..<(2 * depth) {
        for view in 0..<2 { pair.setExpanded(turn % 2 == 1, nodes[0], levels: 1, in: view) }
      }
    }
  }
}
