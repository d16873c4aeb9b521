import Foundation
import TestSupport
import Testing

@testable import TreeEngine

/// Tests of trees with extreme and common shapes, large enough to reveal quadratic or recursive
/// code.
struct ShapeTests {
  static let rules: [ExpansionRule] = [.all, .none, .levels(2)]

  @Test(arguments: rules)
  func `a chain of ten thousand`(rule: ExpansionRule) throws {
    try run(Array(0..<10_000), rule, steps: 12)
  }

  @Test(arguments: rules)
  func `a star of a hundred thousand`(rule: ExpansionRule) throws {
    try run([0] + Array(repeating: 1, count: 99_999), rule, steps: 3)
  }

  @Test(arguments: rules)
  func `twenty thousand roots`(
    rule: ExpansionRule
  ) throws {
    try run(Array(repeating: 0, count: 20_000), rule, steps: 6)
  }

  @Test(arguments: rules)
  func `a real file tree`(rule: ExpansionRule) throws {
    let depths = fileTree(limit: 10_000)
    #expect(depths.count > 10, "no folder to be found")
    try run(depths, rule, steps: 12)
  }

  @Test(arguments: [ExpansionRule.all, .none], Seed.seeds(count: 5))
  func `random trees of random bushiness`(rule: ExpansionRule, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let climb = random.number(in: 1...6)
    var depths = [0]
    for _ in 1..<random.number(in: 2...2_000) {
      let last = depths[depths.count - 1]
      depths.append(random.oneIn(climb) ? random.number(in: 0...last) : last + 1)
    }
    try run(depths, rule, steps: 25, seed: seed)
  }

  /// Returns the depths of the files in a system folder, or else beside this file.
  private func fileTree(limit: Int) -> [Int] {
    let here = URL(filePath: #filePath).deletingLastPathComponent().path()
    for folder in ["/usr", "/etc", here] {
      guard let found = FileManager.default.enumerator(atPath: folder) else { continue }
      var depths: [Int] = []
      while depths.count < limit, found.nextObject() != nil { depths.append(found.level - 1) }
      if depths.count > 10 { return depths }
    }
    return []
  }

  private func run(
    _ depths: [Int],
    _ rule: ExpansionRule,
    steps: Int,
    seed: UInt64 = Seed.fromEnvironment()
  ) throws {
    var random = SeededGenerator(seed: seed)
    var pair = try ShapePair<Fanout<64>>(depths: depths, rule: rule)
    let context = "SEED=\(seed) \(rule)"
    pair.check(nodes: 300, &random, context)
    // Under a rule of levels a move changes the expansion. The random laws test that.
    let kinds = rule.levels ?? 0 > 0 ? 4 : 6
    for step in 0..<steps {
      try pair.change(step % kinds, &random, "\(context) step \(step)")
      pair.check(nodes: 60, &random, "\(context) step \(step)")
    }
    pair.tree.checkInvariants()
    try pair.undoEverything(&random, context)
  }
}

extension ShapePair {
  /// Applies a change of one of six kinds to a random node.
  fileprivate mutating func change(
    _ kind: Int,
    _ random: inout SeededGenerator,
    _ context: String
  ) throws {
    let count = outline.entries.count
    let place = random.number(in: 0...(count - 1))
    let parent = random.oneIn(3) ? outline.parents[place] : place
    let siblings = outline.children[parent + 1].count
    switch kind {
    case 0:
      // Toggles twice, so that nested expansion must be unchanged.
      let isExpanded = outline.entries[place].isExpanded
      setExpanded(!isExpanded, place, context)
      setExpanded(isExpanded, place, context)
      let top = outline.parents[place] < 0 ? place : outline.parents[place]
      setExpanded(!outline.entries[top].isExpanded, top, context)
    case 1, 3:
      let shape = random.choice([[0], [0, 1, 2, 1], [0, 1, 1, 1]])
      try insert(shape, under: parent, at: random.number(in: 0...siblings), context)
      // A change inside a collapsed node must show when it is expanded.
      if parent >= 0 { setExpanded(true, parent, context) }
    case 2 where outline.ends[place] - place < count / 2: remove(place, context)
    case 2: setExpanded(false, place, context)
    default: try moveSomewhere(place, &random, context)
    }
  }

  private mutating func moveSomewhere(
    _ place: Int,
    _ random: inout SeededGenerator,
    _ context: String
  ) throws {
    // Selects a large subtree if there is one.
    var top = place
    while outline.parents[top] > 0 { top = outline.parents[top] }
    let target = random.number(in: -1...(outline.entries.count - 1))
    guard !(top..<outline.ends[top]).contains(target) else {
      tree.begin()
      #expect(throws: TreeError.cycle) {
        try tree.move(outline.node(top), under: outline.node(target), at: 0)
      }
      tree.rollback()
      return
    }
    let isHome = outline.parents[top] == target
    let room = outline.children[target + 1].count - (isHome ? 1 : 0)
    try move(top, under: target, at: random.number(in: 0...room), context)
  }

  /// Applies large changes to the whole tree and rolls them back.
  fileprivate mutating func undoEverything(
    _ random: inout SeededGenerator,
    _ context: String
  ) throws {
    tree.begin()
    while tree.childCount(of: .forestRoot) > 1 { tree.remove(tree.child(1, of: .forestRoot)) }
    let root = tree.child(0, of: .forestRoot)
    let count = tree.childCount(of: root)
    if count > 1 { try tree.move(tree.child(count - 1, of: root), under: .forestRoot, at: 0) }
    tree.setRule(.none, in: view)
    tree.expand(root, levels: 3, in: view)
    tree.remove(root)
    tree.rollback()
    check(nodes: 60, &random, "rolled back, \(context)")
    tree.checkInvariants()
  }
}
