import TestSupport
import Testing

@testable import TreeEngine

/// Tests that a rollback works after a long step was stopped at any count.
struct InterruptionTests {
  @Test(arguments: Seed.seeds(count: 6))
  func `a step that is stopped anywhere is undone and can be repeated`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pair = EnginePair<Fanout<4>>(rules: [.all, .none, .levels(1), .levels(2)])
    pair.tree.begin()
    for _ in 0..<30 { _ = pair.randomOperation(&random) }
    for view in 0..<2 {
      pair.setFilter(random.choice(["1", "2", "0"]), in: view)
      pair.setOrder(random.choice([.depthFirst, .breadthFirst]), in: view)
    }
    pair.updateRows()
    pair.tree.commit()
    var stops = 0
    for round in 0..<40 {
      let before = pair.snapshot()
      let state = pair.naive.copyState()
      pair.tree.begin()
      var done: [String] = []
      for _ in 0..<random.choice([0, 0, 1, 3]) { done.append(pair.randomOperation(&random)) }
      let step = pair.randomStep(&random)
      let context = "SEED=\(seed) round \(round) \(done) \(step)"
      var left = random.choice([random.number(in: 0...40), random.number(in: 0...4_000)])
      do throws(Interruption) {
        try pair.run(step) { steps throws(Interruption) in
          left -= steps
          if left < 0 { throw Interruption() }
        }
      } catch {
        stops += 1
      }
      pair.tree.rollback()
      pair.naive.restore(state)
      #expect(pair.snapshot() == before, "\(context)")
      pair.tree.checkInvariants()
      // The same step succeeds when nothing stops it; it may name nodes that were undone.
      guard done.isEmpty else { continue }
      pair.tree.begin()
      do throws(Interruption) {
        try pair.run(step) { _ in }
      } catch {
        Issue.record("nothing stopped it, \(context)")
      }
      pair.tree.checkInvariants()
      pair.tree.rollback()
      pair.naive.restore(state)
      #expect(pair.snapshot() == before, "\(context)")
      // The next round starts with another tree.
      pair.tree.begin()
      _ = pair.randomOperation(&random)
      pair.updateRows()
      pair.tree.commit()
    }
    #expect(stops > 5)
  }
}

/// A long step on one tree.
private enum LongStep {
  case expand(NodeID), collapse(NodeID), select(NodeID), deselect(NodeID), clearSelection
  case rule(ExpansionRule), ruleAside(ExpansionRule), filter(Bool), order(ViewOrder)
  case remove(NodeID), move(NodeID, under: NodeID)
  case arrange([NodeID], of: NodeID), setOrder([NodeID], of: NodeID)
  case insert(nodes: Int, under: NodeID), link(nodes: Int, under: NodeID)
  case ordering(isNew: Bool)
}

extension EnginePair {
  fileprivate typealias Counter = SizedTree<Width>.StepCounter

  /// Runs a step, updates all views and computes their changes.
  fileprivate mutating func run(
    _ step: (LongStep, view: Int),
    counting count: Counter
  ) throws(Interruption) {
    try run(step.0, in: ids[step.view], count)
    try updateRows(counting: count)
    _ = try tree.hasDataChanges(counting: count)
    for id in ids {
      _ = try tree.hasExpansionChanges(in: id, counting: count)
      _ = try tree.hasSelectionChanges(in: id, counting: count)
      _ = try tree.hasLayerChanges(in: id, counting: count)
      _ = try tree.changes(of: id, counting: count)
      _ = try tree.expandedUnloaded(in: id, counting: count)
    }
  }

  private mutating func run(
    _ step: LongStep,
    in view: SizedTree<Width>.ViewID,
    _ count: Counter
  ) throws(Interruption) {
    switch step {
    case .expand(let node):
      let nodes = try tree.collapsedNodes(from: node, levels: .max, in: view, counting: count)
      try tree.expand(nodes, in: view, counting: count)
    case .collapse(let node): try tree.collapse(node, levels: .max, in: view, counting: count)
    case .select(let node): try tree.selectSubtree(of: node, in: view, counting: count)
    case .deselect(let node): try tree.deselectSubtree(of: node, in: view, counting: count)
    case .clearSelection: try tree.clearSelection(in: view, counting: count)
    case .rule(let rule): try tree.setRule(rule, in: view, counting: count)
    case .ruleAside(let rule): try tree.setUnfilteredRule(rule, in: view, counting: count)
    case .filter(let isOn): try tree.setFilter(isOn, in: view, counting: count)
    case .order(let order): try tree.setOrder(order, in: view, counting: count)
    case .remove(let node): try tree.remove(node, counting: count)
    case .arrange(let order, let parent):
      try tree.arrange(children: order, of: parent, counting: count)
    case .ordering(let isNew):
      let sorter = NaiveSorter<Width>(NaiveSort.allCases[0]) { _ in }
      let ordering = isNew ? try tree.addOrdering(by: sorter, counting: count) : nil
      try tree.setOrdering(ordering, in: view, counting: count)
    case .move, .setOrder, .insert, .link: try edit(step, count)
    }
  }

  /// Runs a step, which may also be refused for another reason.
  private mutating func edit(_ step: LongStep, _ count: Counter) throws(Interruption) {
    do throws(TreeError) {
      switch step {
      case .move(let node, let parent): try tree.move(node, under: parent, at: 0, counting: count)
      case .setOrder(let order, let parent):
        try tree.setChildOrder(order, of: parent, counting: count)
      case .insert(let number, let parent):
        let (nodes, bytes) = Self.subtrees(number)
        try tree.insert(nodes[...], bytes: bytes, under: parent, at: 0, counting: count)
      case .link(let number, let parent):
        let (nodes, bytes) = Self.subtrees(number)
        let made = try tree.make(nodes[...], bytes: bytes, counting: count)
        let run = zip(made, nodes).map { (node: $0, depth: Int32($1.depth)) }
        try tree.link(run, under: parent, at: 0, counting: count)
      default: preconditionFailure("the step is refused for no other reason")
      }
    } catch {
      if error == .interrupted { throw Interruption() }
    }
  }

  /// Returns some subtrees in pre-order, whose keys no other node has.
  private static func subtrees(_ count: Int) -> (nodes: [NewNode], bytes: [UInt8]) {
    var bytes: [UInt8] = []
    let nodes = (0..<count).map { number in
      let start = bytes.count
      bytes += Array("new \(number)".utf8)
      return NewNode(
        key: start..<bytes.count,
        object: start..<start,
        depth: number % 3,
        childState: number % 3 == 2 ? .leaf : .loaded
      )
    }
    return (nodes, bytes)
  }

  /// Returns a random long step.
  fileprivate func randomStep(_ random: inout SeededGenerator) -> (LongStep, view: Int) {
    let view = random.number(in: 0...ids.count - 1)
    let rule = random.choice([ExpansionRule.all, .none, .levels(1), .levels(3)])
    guard let node = naive.nodes.randomElement(using: &random).map({ id($0) }) else {
      return (.rule(rule), view)
    }
    let parent = tree.parent(of: node)
    let children = naive.nodes.map { id($0) }.filter { tree.parent(of: $0) == parent }
    let order = children.shuffled(using: &random)
    let target = children.first { $0 != node } ?? .forestRoot
    let steps: [LongStep] = [
      .expand(node), .collapse(node), .select(node), .deselect(node), .clearSelection,
      .rule(rule), .ruleAside(rule), .filter(true), .filter(false), .order(.breadthFirst),
      .order(.depthFirst), .remove(node), .move(node, under: target),
      .arrange(order, of: parent), .setOrder(order, of: parent),
      .insert(nodes: random.choice([1, 30, 600]), under: node),
      .link(nodes: random.choice([1, 30, 600]), under: node), .ordering(isNew: random.oneIn(2)),
    ]
    return (random.choice(steps), view)
  }
}
