import TestSupport
import Testing

@testable import TreeEngine

/// Tests that a failed transaction leaves nothing behind.
struct RollbackTests {
  @Test(arguments: Seed.seeds(count: 8))
  func `a rollback restores the tree exactly, wherever an operation fails`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pair = EnginePair<Fanout<4>>(rules: [.all, .none, .levels(2)])
    pair.tree.begin()
    for _ in 0..<25 { _ = pair.randomOperation(&random) }
    pair.tree.commit()
    for step in 0..<20 {
      let context = "SEED=\(seed) step \(step)"
      let before = pair.snapshot()
      let state = pair.naive.copyState()
      pair.tree.begin()
      for _ in 0..<random.number(in: 0...6) { _ = pair.randomOperation(&random) }
      let halfway = pair.snapshot()
      pair.failInEveryWay()
      #expect(pair.snapshot() == halfway, "what was refused has changed something, \(context)")
      pair.tree.rollback()
      pair.naive.restore(state)
      #expect(pair.snapshot() == before, "\(context)")
      pair.tree.checkInvariants()
      // The next round starts with another tree.
      pair.tree.begin()
      _ = pair.randomOperation(&random)
      pair.tree.commit()
    }
  }

  @Test func `a rollback removes nodes that were made and not linked`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    let list = (0..<9).map { (key: "k\($0)", depth: min($0, 2), state: ChildState.unloaded) }
    try pair.insert(list, object: "1", under: pair.naive.root, at: 0)
    pair.tree.commit()
    let before = pair.snapshot()
    for key in ["a", "b"] {
      pair.tree.begin()
      let new = NewNode(key: 0..<1, object: 0..<0, depth: 0, childState: .unloaded)
      #expect(try pair.tree.make([new], bytes: Array(key.utf8)).count == 1)
      let found = pair.tree.node(forKey: Array(key.utf8).span)
      #expect(found != nil)
      pair.tree.rollback()
      let lost = pair.tree.node(forKey: Array(key.utf8).span)
      #expect(lost == nil)
      #expect(pair.snapshot() == before)
      pair.tree.checkInvariants()
    }
  }

  @Test(arguments: [false, true])
  func `objects stay intact through the compaction that their changes cause`(commits: Bool) throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    for number in 0..<20 {
      let list = [(key: "k\(number)", depth: 0, state: ChildState.leaf)]
      try pair.insert(list, object: number == 3 ? "" : "\(number)", under: pair.naive.root, at: 0)
    }
    pair.tree.commit()
    let before = pair.snapshot()
    let large = String(repeating: "x", count: 10_000)
    for round in 0..<10 {
      pair.tree.begin()
      for node in pair.naive.nodes where node.key != "k3" { pair.update(node, large + "\(round)") }
      if commits { pair.tree.commit() } else { pair.tree.rollback() }
      if pair.tree.wantsCompaction { pair.tree.compact() }
      if !commits { #expect(pair.snapshot() == before, "round \(round)") }
    }
    #expect(pair.tree.byteCount < 1_000_000, "nothing was compacted")
    #expect(pair.tree.nodeCount == 20)
    for node in pair.naive.nodes {
      let object = Array(pair.tree.object(of: pair.id(node)))
      let expected = commits || node.key == "k3" ? node.object : String(node.key.dropFirst())
      #expect(object == Array(expected.utf8), "\(node.key)")
    }
  }
}

extension EnginePair {
  /// Returns everything that the engine shows, as text.
  func snapshot() -> [String] {
    var lines = ["\(tree.nodeCount) nodes"]
    var next: Forest<Width>.Place? = tree.editor.base.forest.place(at: 0)
    while let place = next {
      let node = tree.editor.base.forest.node(at: place)
      let key = String(decoding: tree.key(of: node), as: UTF8.self)
      let found = tree.node(forKey: Array(key.utf8).span)
      let object = String(decoding: tree.object(of: node), as: UTF8.self)
      let shape = "\(place.depth) \(tree.parent(of: node).index) \(tree.childCount(of: node))"
      let expanded = ids.map { tree.isExpanded(node, in: $0) ? "-" : "+" }.joined()
      lines.append(
        "\(shape) \(key) \(found == node) \(object) \(tree.childState(of: node)) \(expanded)"
      )
      next = tree.editor.base.forest.next(place)
    }
    for id in ids {
      let rows = tree.rows(from: 0, limit: .max, in: id)
      lines += rows.map { "\($0)" }
    }
    return lines
  }

  /// Calls operations with invalid arguments, all of which are refused.
  fileprivate mutating func failInEveryWay() {
    let nodes = naive.nodes
    let bytes = Array("newnewabc1".utf8)
    func leaf(_ key: Range<Int>, depth: Int = 0) -> NewNode {
      NewNode(key: key, object: 9..<10, depth: depth, childState: .leaf)
    }
    let twice = [leaf(0..<3), leaf(6..<9, depth: 1), leaf(3..<6, depth: 1)]
    #expect(throws: TreeError.duplicateKey(offset: 2)) {
      try tree.insert(twice[...], bytes: bytes, under: .forestRoot, at: 0)
    }
    #expect(throws: TreeError.duplicateKey(offset: 2)) {
      _ = try tree.make(twice[...], bytes: bytes)
    }
    let count = tree.childCount(of: .forestRoot)
    #expect(throws: TreeError.indexOutOfRange(childCount: count)) {
      try tree.insert([leaf(0..<3)], bytes: bytes, under: .forestRoot, at: count + 1)
    }
    let limit = tree.maxDepth
    tree.maxDepth = 0
    #expect(throws: TreeError.depthLimit(0)) {
      try tree.insert(twice[..<2], bytes: bytes, under: .forestRoot, at: 0)
    }
    tree.maxDepth = limit
    for node in nodes {
      #expect(throws: TreeError.cycle) { try tree.move(id(node), under: id(node), at: 0) }
      #expect(throws: TreeError.self) { try tree.move(id(node), under: .forestRoot, at: count + 1) }
    }
  }
}
