extension SizedTree {
  /// Calls a function with the nodes in pre-order, until it returns false.
  ///
  /// - Parameters:
  ///   - node: The node to start after; nil to start with the first.
  ///   - id: The order of siblings; nil for that of the tree.
  ///   - body: The function.
  /// - Complexity: O(nodes passed to `body` + log *n*).
  @specialized(where Width == Fanout<64>)
  public func forEachNode(
    after node: NodeID? = nil,
    in id: OrderingID? = nil,
    _ body: (NodeID) -> Bool
  ) {
    guard let ordering = ordering(id) else {
      return Self.forEachNode(of: forest, after: node, body)
    }
    var nodes: [NodeID] = []
    repeat {
      let last = nodes.last ?? node
      nodes = ordering.nodes.read { forest in
        var nodes: [NodeID] = []
        Self.forEachNode(of: forest, after: last) { node in
          nodes.append(node)
          return nodes.count < Self.nodesPerSlice
        }
        return nodes
      }
      guard nodes.allSatisfy(body) else { return }
    } while nodes.count == Self.nodesPerSlice
  }

  /// The number of nodes that are read from an ordering at a time.
  private static var nodesPerSlice: Int { 256 }

  private static func forEachNode(
    of forest: borrowing Forest<Width>,
    after node: NodeID?,
    _ body: (NodeID) -> Bool
  ) {
    var next = forest.next(forest.place(of: node ?? .forestRoot))
    while let place = next, body(forest.node(at: place)) { next = forest.next(place) }
  }

  /// Returns the number of roots before the root that a node is, or is below.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func topLevelPosition(of node: NodeID) -> Int {
    let first = forest.place(at: 1)
    return Int(forest.depthMinimum(from: first, to: forest.place(of: node).position + 1).count) - 1
  }

  /// Returns the number of children that a row of a node shows: the existing ones, else the hint.
  ///
  /// The result is nil if neither is known.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func shownChildCount(of node: NodeID) -> Int? {
    forest.shownChildCount(of: node).map { Int($0) }
  }
}
