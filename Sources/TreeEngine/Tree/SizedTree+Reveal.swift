// Expands the nodes that hide others.
extension SizedTree {
  /// Expands all ancestors of nodes, so that the nodes become rows.
  ///
  /// - Parameters:
  ///   - nodes: The nodes.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O((*k* + *t*) log *n*) for *k* nodes with *t* collapsed ancestors.
  @specialized(where Width == Fanout<64>)
  public mutating func reveal(
    _ nodes: [NodeID],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = slot(of: id)
    for node in nodes {
      try count(1)
      var place = forest.place(of: node)
      while let above = watchers[slot].view.nearestCollapsed(above: place, in: forest) {
        try count(Self.toggleSteps)
        toggle(forest.node(at: above), in: id)
        place = above
      }
    }
  }

  /// Returns the collapsed ancestors of a node, the topmost first.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: The nodes.
  /// - Throws: The error that `count` throws.
  /// - Complexity: O((*t* + 1) log *n*) for *t* of them.
  @specialized(where Width == Fanout<64>)
  public func collapsedAncestors(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    let view = watchers[slot(of: id)].view
    var found: [NodeID] = []
    var place = forest.place(of: node)
    while let above = view.nearestCollapsed(above: place, in: forest) {
      try count(1)
      found.append(forest.node(at: above))
      place = above
    }
    return found.reversed()
  }
}
