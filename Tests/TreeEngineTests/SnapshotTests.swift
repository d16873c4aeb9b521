import TestSupport
import Testing

@testable import TreeEngine

struct SnapshotTests {
  @Test(arguments: Seed.seeds(count: 10))
  func `a snapshot does not change while the tree changes`(seed: UInt64) {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    var random = SeededGenerator(seed: seed)
    // None, one or several at a time, because writes copy chunks only while a snapshot exists.
    var held: [(snapshot: ForestSnapshot<Fanout<4>>, lines: [String])] = []
    for step in 0..<24 {
      if random.oneIn(2) {
        held.append((pair.tree.snapshot(), pair.naive.nodes.map { line($0, in: pair.naive) }))
      }
      pair.tree.begin()
      for _ in 0..<10 { _ = pair.randomOperation(&random) }
      if random.oneIn(4), !pair.naive.nodes.isEmpty { pair.remove(pair.naive.root.children[0]) }
      pair.tree.commit()
      for (snapshot, lines) in held {
        #expect(self.lines(of: snapshot, &random) == lines, "SEED=\(seed) step \(step)")
        #expect(snapshot.nodeCount == lines.count)
      }
      held.removeAll { _ in random.oneIn(3) }
    }
  }

  private func lines(
    of snapshot: ForestSnapshot<Fanout<4>>,
    _ random: inout SeededGenerator
  ) -> [String] {
    var lines: [String] = []
    var walk = snapshot.makeWalk()
    while case let nodes = walk.next(limit: random.number(in: 1...9)), !nodes.isEmpty {
      lines += nodes.map { line($0) }
    }
    return lines
  }

  private func line(_ node: NaiveTree.Node, in tree: NaiveTree) -> String {
    let parent = node.parent === tree.root ? "-" : node.parent?.key ?? "?"
    let object = node.object == "null" ? "" : node.object
    let hint = node.hint ?? -1
    let known = "\(node.state) \(node.children.count) \(hint)"
    return "\(node.key) \(parent) \(node.depth) \(known) \(object)"
  }

  private func line(_ node: ForestSnapshot<Fanout<4>>.Node) -> String {
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let known = "\(node.childState) \(node.childCount) \(node.hint ?? -1)"
    let parent = node.parentKey.map(text) ?? "-"
    return "\(text(node.key)) \(parent) \(node.depth) \(known) \(text(node.object))"
  }
}
