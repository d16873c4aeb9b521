import TreeEngine

/// A tree of a shape with one view, and the operations of benchmarks on it.
struct SampleTree: ~Copyable {
  var tree: Tree<64>
  let view: Tree<64>.ViewID
  /// The initial nodes, in pre-order.
  private(set) var nodes: [NodeID] = []
  private var nextKey = 0
  /// The number of zeros at the end of a key that matches the filter.
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

  /// Inserts a list of nodes, whose keys must be free, at a place that must exist.
  @discardableResult
  mutating func insert(_ list: NodeList, under parent: NodeID, at index: Int) -> NodeID {
    do {
      return try tree.insert(list.nodes[...], bytes: list.bytes, under: parent, at: index) { _ in }
    } catch {
      preconditionFailure("a benchmark's insertion was refused: \(error)")
    }
  }

  /// Makes a leaf with a new key.
  mutating func makeLeaf() -> NodeList {
    nextKey += 1
    return NodeList(leaf: nextKey)
  }

  /// Returns the parent of a random node, so that one with many children is likelier.
  func randomParent(_ random: inout SplitMix) -> NodeID {
    tree.parent(of: nodes[1 + random.below(nodes.count - 1)])
  }

  /// Compacts the tree, and replaces ``nodes`` by their new ids.
  mutating func compact() {
    let new = tree.compact()
    nodes = nodes.compactMap { new[$0] }
  }

  /// Moves a subtree to a place that must exist.
  mutating func move(_ node: NodeID, under parent: NodeID, at index: Int) {
    do {
      try tree.move(node, under: parent, at: max(0, index)) { _ in }
    } catch {
      preconditionFailure("a benchmark's move was refused: \(error)")
    }
  }

  /// Toggles `count` random nodes with children.
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

/// Does work of the engine without counting its steps, so that nothing stops it.
@inline(__always)
func uncounted<Result>(
  _ work: (_ count: (Int) throws(Interruption) -> Void) throws(Interruption) -> Result
) -> Result {
  do throws(Interruption) {
    return try work { _ in }
  } catch {
    preconditionFailure("nothing stopped the work")
  }
}
