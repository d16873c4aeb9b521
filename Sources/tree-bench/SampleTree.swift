import TreeEngine

/// A tree of a shape with one view of it, and what benchmarks do to it.
struct SampleTree: ~Copyable {
  var tree: Tree<64>
  let view: Tree<64>.ViewID
  /// The nodes loaded, in pre-order.
  private(set) var nodes: [NodeID] = []
  private var nextKey = 0
  /// With how many zeros keys end that a filter matches.
  var zerosMatched = 0

  init(
    _ shape: Shape,
    count: Int,
    rule: ExpansionRule = .all,
    history: HistoryLimits = .none
  ) {
    self.init(NodeList(shape, count: count), rule: rule, history: history)
  }

  init(_ list: NodeList, rule: ExpansionRule = .all, history: HistoryLimits = .none) {
    tree = Tree<64>(maxDepth: .max, history: history)
    view = tree.addView(rule: rule)
    tree.begin()
    insert(list, under: .forestRoot, at: 0)
    tree.commit()
    nextKey = list.nodes.count
    nodes.reserveCapacity(nextKey)
    for node in list.nodes {
      if let id = tree.node(forKey: list.bytes.span.extracting(node.key)) { nodes.append(id) }
    }
  }

  /// Inserts a list whose keys are known to be free at a place known to exist.
  @discardableResult
  mutating func insert(_ list: NodeList, under parent: NodeID, at index: Int) -> NodeID {
    do {
      return try tree.insert(list.nodes[...], bytes: list.bytes, under: parent, at: index)
    } catch {
      preconditionFailure("a benchmark's insertion was refused: \(error)")
    }
  }

  /// A leaf with a new key.
  mutating func makeLeaf() -> NodeList {
    nextKey += 1
    return NodeList(leaf: nextKey)
  }

  /// A parent that a random node has: the more children, the likelier.
  func randomParent(_ random: inout SplitMix) -> NodeID {
    tree.parent(of: nodes[1 + random.below(nodes.count - 1)])
  }

  /// Compacts the tree and follows its nodes to their new ids.
  mutating func compact() {
    let new = tree.compact()
    nodes = nodes.compactMap { new[$0] }
  }

  /// Moves a subtree to a place known to exist.
  mutating func move(_ node: NodeID, under parent: NodeID, at index: Int) {
    do {
      try tree.move(node, under: parent, at: max(0, index))
    } catch {
      preconditionFailure("a benchmark's move was refused: \(error)")
    }
  }

  /// Toggles so many random nodes that have children.
  mutating func toggle(_ count: Int, _ random: inout SplitMix) {
    tree.begin()
    for _ in 0..<count {
      let node = randomParent(&random)
      if tree.isExpanded(node, in: view) {
        tree.collapse(node, in: view)
      } else {
        tree.expand(node, in: view)
      }
    }
    tree.commit()
  }
}
