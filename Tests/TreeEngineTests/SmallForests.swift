import Testing

@testable import TreeEngine

/// Returns all ordered forests with a number of nodes, each as its depths in pre-order.
///
/// Their numbers are the Catalan numbers: 1, 1, 2, 5, 14, 42.
func smallForests(nodes: Int) -> [[Int]] {
  var forests: [[Int]] = [[]]
  for _ in 0..<nodes {
    forests = forests.flatMap { depths in
      (0...((depths.last ?? -1) + 1)).map { depths + [$0] }
    }
  }
  return forests
}

/// An operation on a small forest. Nodes are named by their index in pre-order, nil is the forest
/// root.
enum SmallOperation {
  case insert(parent: Int?, index: Int)
  case remove(Int)
  case move(Int, parent: Int?, index: Int)
  case update(Int)
  case expand(Int)
  case collapse(Int)
  case reveal(Int)
  case expandAll
  case collapseAll

  /// Returns all possible operations on a forest, including moves that are refused.
  static func all(on tree: NaiveTree) -> [SmallOperation] {
    let nodes = tree.nodes
    var operations: [SmallOperation] = [.expandAll, .collapseAll]
    let parents = [(nil, tree.root)] + nodes.enumerated().map { (Optional($0), $1) }
    for (place, parent) in parents {
      let count = parent.children.count
      operations += (0...count).map { .insert(parent: place, index: $0) }
      for (moved, node) in nodes.enumerated() {
        let last = node.parent === parent ? count - 1 : count
        operations += (0...last).map { .move(moved, parent: place, index: $0) }
      }
    }
    for place in nodes.indices {
      operations += [.remove(place), .update(place), .reveal(place)]
      operations += [.expand(place), .collapse(place)]
    }
    return operations
  }
}

extension EnginePair {
  /// Makes a forest of the given depths in both.
  init(depths: [Int], rules: [ExpansionRule]) throws {
    self.init(rules: rules)
    tree.begin()
    var start = 0
    while start < depths.count {
      let end = depths[(start + 1)...].firstIndex(of: 0) ?? depths.count
      let list = (start..<end).map { (key: "k\($0)", depth: depths[$0], state: ChildState.leaf) }
      try insert(list, object: "0", under: naive.root, at: naive.root.children.count)
      start = end
    }
    tree.commit()
  }

  /// Applies an operation to both, in every view if it changes views.
  mutating func apply(_ operation: SmallOperation, newKey: String) throws {
    let nodes = naive.nodes
    func node(_ place: Int?) -> NaiveTree.Node { place.map { nodes[$0] } ?? naive.root }
    switch operation {
    case .insert(let parent, let index):
      try insert([(newKey, 0, .leaf)], object: "1", under: node(parent), at: index)
    case .remove(let place): remove(nodes[place])
    case .move(let place, let parent, let index):
      if node(parent).isAtOrBelow(nodes[place]) {
        refuse(nodes[place], under: node(parent), at: index)
      } else {
        try move(nodes[place], under: node(parent), at: index)
      }
    case .update(let place): update(nodes[place], newKey)
    case .expand(let place):
      for view in ids.indices { setExpanded(true, nodes[place], levels: 1, in: view) }
    case .collapse(let place):
      for view in ids.indices { setExpanded(false, nodes[place], levels: 1, in: view) }
    case .reveal(let place):
      for view in ids.indices { reveal([nodes[place]], in: view) }
    case .expandAll: for view in ids.indices { setRule(.all, in: view) }
    case .collapseAll: for view in ids.indices { setRule(.none, in: view) }
    }
  }

  private mutating func refuse(
    _ node: NaiveTree.Node,
    under parent: NaiveTree.Node,
    at index: Int
  ) {
    #expect(throws: TreeError.cycle) { try tree.move(id(node), under: id(parent), at: index) }
  }
}
