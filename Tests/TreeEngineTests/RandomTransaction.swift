import TestSupport
import TreeEngine

extension EnginePair {
  /// Applies one random change to both and checks that errors of the engine are justified.
  ///
  /// - Parameter isListed: True if the transaction lists all rows, so that several nodes may move.
  mutating func randomOperation(
    _ random: inout SeededGenerator,
    isListed: Bool = true
  ) -> String {
    let nodes = naive.nodes
    let view = random.number(in: 0...(ids.count - 1))
    guard let node = nodes.randomElement(using: &random), !random.oneIn(4) else {
      return randomInsert(&random)
    }
    switch random.number(in: 0...17) {
    case 0 where nodes.count > 12:
      remove(node)
      return "remove \(node.key)"
    case 0, 1, 2, 3:
      return randomMove(node, &random)
    case 4:
      let object = random.choice(["1", "2", "null", "[3]"])
      update(node, object)
      return "update \(node.key) \(object)"
    case 5:
      let other = nodes.randomElement(using: &random) ?? node
      reveal([node, other], in: view)
      return "reveal \(node.key) \(other.key) in \(view)"
    case 6 where random.oneIn(2):
      let rule = random.choice([ExpansionRule.all, .none, .levels(1), .levels(2)])
      setRule(rule, in: view)
      return "rule \(rule) in \(view)"
    case 7:
      return randomChildState(node, &random)
    case 8, 9:
      return randomSelection(node, in: view, &random)
    case 10 where nodes.count > 12 && isListed:
      return randomChildren(of: node, &random)
    case 10 where isListed, 11 where isListed:
      let parent = random.choice([node, node.parent ?? naive.root])
      let order = parent.children.shuffled(using: &random)
      arrange(order, of: parent)
      return "arrange \(order.map(\.key)) in \(parent.key)"
    default:
      let levels = random.choice([1, 1, 1, 2, Int.max])
      let expanded = random.oneIn(2)
      setExpanded(expanded, node, levels: levels, in: view)
      return "\(expanded ? "expand" : "collapse") \(node.key) \(levels) in \(view)"
    }
  }

  private mutating func randomChildren(
    of node: NaiveTree.Node,
    _ random: inout SeededGenerator
  ) -> String {
    let others = naive.nodes.filter { !node.isAtOrBelow($0) && $0.parent !== node }
    let wanted = (node.children + others.shuffled(using: &random).prefix(2)).filter { _ in
      !random.oneIn(4)
    }
    let order = random.oneIn(3) ? wanted : wanted.shuffled(using: &random)
    do {
      try setChildren(order, of: node)
    } catch {
      preconditionFailure("\(error) without a reason")
    }
    return "children of \(node.key): \(order.map(\.key))"
  }

  private mutating func randomChildState(
    _ node: NaiveTree.Node,
    _ random: inout SeededGenerator
  ) -> String {
    let state = random.choice([ChildState.leaf, .unloaded, .loading, .failed, .loaded])
    if state == .leaf, !node.children.isEmpty { return "no leaf" }
    let isKnown = state == .leaf || state == .loaded
    let hint = isKnown ? nil : random.choice([nil, 0, 1, 7])
    setChildState(state, hint: hint, of: node)
    return "state \(node.key) \(state) \(hint ?? -1)"
  }

  private mutating func randomSelection(
    _ node: NaiveTree.Node,
    in view: Int,
    _ random: inout SeededGenerator
  ) -> String {
    let selected = random.oneIn(2)
    switch random.number(in: 0...6) {
    case 0:
      clearSelection(in: view)
      return "clear selection in \(view)"
    case 1, 2:
      setSelected(selected, subtreeOf: node, in: view)
    default:
      setSelected(selected, [node, random.choice(naive.nodes)], in: view)
    }
    return "\(selected ? "select" : "deselect") \(node.key) in \(view)"
  }

  private mutating func randomInsert(_ random: inout SeededGenerator) -> String {
    let parent = random.choice([naive.root] + naive.nodes)
    let index = random.number(in: 0...parent.children.count)
    var list: [(key: String, depth: Int, state: ChildState)] = []
    var depth = 0
    for _ in 0..<random.choice([1, 1, 1, 2, 5]) {
      let free = (0..<60).map { "k\($0)" }.filter { key in
        naive.byKey[key] == nil && !list.contains { $0.key == key }
      }
      guard let key = free.randomElement(using: &random) else { break }
      list.append((key, depth, random.choice([.leaf, .leaf, .loaded, .unloaded])))
      // Sometimes another subtree starts after the first.
      depth = random.oneIn(4) ? 0 : random.number(in: 1...(depth + 1))
    }
    guard !list.isEmpty else { return "no free key" }
    do {
      if random.oneIn(3) {
        let order = list.indices.shuffled(using: &random)
        try insert(list, madeInOrder: order, object: "0", under: parent, at: index)
      } else {
        try insert(list, object: "0", under: parent, at: index)
      }
    } catch {
      preconditionFailure("\(error) without a reason")
    }
    return "insert \(list.map { "\($0.key)/\($0.depth)" }) under \(parent.key) at \(index)"
  }

  private mutating func randomMove(
    _ node: NaiveTree.Node,
    _ random: inout SeededGenerator
  ) -> String {
    let parent = random.choice([naive.root] + naive.nodes)
    let room = parent.children.count - (node.parent === parent ? 1 : 0)
    let index = random.number(in: 0...room)
    do {
      try move(node, under: parent, at: index)
      return "move \(node.key) under \(parent.key) at \(index)"
    } catch {
      let isBelow = parent.isAtOrBelow(node)
      precondition(error == .cycle && isBelow, "\(error) without a reason")
      return "move \(node.key) below itself refused"
    }
  }
}
