extension SizedTree {
  /// Shows all nodes in pre-order, from behind a given one on, until `body` answers false.
  ///
  /// - Parameters:
  ///   - node: the node to go on behind; nil to begin with the first.
  ///   - body: what is shown each node, and says whether to go on.
  /// - Complexity: O(nodes shown + log *n*).
  @specialized(where Width == Fanout<64>)
  public func forEachNode(after node: NodeID? = nil, _ body: (NodeID) -> Bool) {
    var next = forest.next(forest.place(of: node ?? .forestRoot))
    while let place = next, body(forest.node(at: place)) { next = forest.next(place) }
  }

  /// How many nodes of the top level stand before the one that a node is or is below.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func topLevelPosition(of node: NodeID) -> Int {
    let first = forest.place(at: 1)
    return Int(forest.depthMinimum(from: first, to: forest.place(of: node).position + 1).count) - 1
  }

  /// How many children a node shows to have: those there are, else the hint; nil while there is
  /// neither.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func shownChildCount(of node: NodeID) -> Int? {
    forest.shownChildCount(of: node).map { Int($0) }
  }
}
