// Opening what hides nodes.
extension SizedTree {
  /// Expands every node above the given ones, so that they are rows.
  ///
  /// - Parameters:
  ///   - nodes: The nodes.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: What counting throws; the transaction is to be rolled back then.
  /// - Complexity: O((*k* + *t*) log *n*) for *k* nodes, above which *t* were collapsed.
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

  /// Returns the collapsed nodes above a node, the topmost first.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: The nodes.
  /// - Throws: What counting throws.
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
