extension SizedTree {
  /// Expands a node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public mutating func expand(_ node: NodeID, in id: ViewID) {
    guard forest[node].childState != .leaf, !isExpanded(node, in: id) else { return }
    toggle(node, in: id)
  }

  /// Collapses a node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public mutating func collapse(_ node: NodeID, in id: ViewID) {
    if isExpanded(node, in: id) { toggle(node, in: id) }
  }

  /// Returns the nodes on `levels` levels, from a node on, that are collapsed and can be expanded.
  ///
  /// The first level is the node itself. The result is in pre-order.
  ///
  /// - Throws: The error that `count` throws.
  /// - Complexity: O(log *n*) for one level; else O(*m* log *n*) for *m* nodes read.
  @specialized(where Width == Fanout<64>)
  public func collapsedNodes(
    from node: NodeID,
    levels: Int,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    try nodes(below: node, levels: levels, expanded: false, in: id, count)
  }

  /// Expands collapsed nodes.
  ///
  /// - Precondition: All of them are collapsed, and none is a leaf.
  /// - Parameters:
  ///   - nodes: The nodes in pre-order.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*m* log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func expand(
    _ nodes: [NodeID],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    // From the inside out, so that the rows come in one piece.
    for node in nodes.reversed() {
      try count(Self.toggleSteps)
      toggle(node, in: id)
    }
  }

  /// The number of steps that are counted for a toggle.
  static var toggleSteps: Int { 16 }

  /// Collapses a node, and its descendants within `levels` levels.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - levels: The number of levels, that of the node included.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(log *n*) for one level; else O(*m* log *n*) for the *m* nodes of the subtree,
  ///   or for its toggled nodes if the rule does not expand the node.
  @specialized(where Width == Fanout<64>)
  public mutating func collapse(
    _ node: NodeID,
    levels: Int,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    for node in try nodes(below: node, levels: levels, expanded: true, in: id, count) {
      try count(Self.toggleSteps)
      toggle(node, in: id)
    }
  }

  /// Expands a root that was just made: in each view whatever its rule, and in each expansion that
  /// a filter keeps aside.
  ///
  /// - Complexity: O(views · log *n*).
  @specialized(where Width == Fanout<64>)
  public mutating func expandInAllViews(_ node: NodeID) {
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      expand(node, in: ViewID(slot: slot))
      expandAside(node, at: slot)
    }
  }

  /// Returns the expanded nodes on `levels` levels, or those that are collapsed but can be
  /// expanded.
  ///
  /// The first level is the node itself. `expanded` selects the expanded nodes. The result is in
  /// pre-order.
  private func nodes(
    below node: NodeID,
    levels: Int,
    expanded: Bool,
    in id: ViewID,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    let top = forest.place(of: node)
    let slot = slot(of: id)
    func isWanted(_ node: NodeID, _ depth: Int32) -> Bool {
      forest[node].childState != .leaf
        && watchers[slot].view.isExpanded(node, depth: depth) == expanded
    }
    if levels == 1 { return isWanted(node, top.depth) ? [node] : [] }
    let end = forest.subtreeEnd(top)
    if expanded, !watchers[slot].view.rule.expands(atDepth: top.depth) {
      try count(min(watchers[slot].view.toggles.count, Int(end - top.position)))
      return watchers[slot].view.toggledNodes(top.position..<end).filter { node in
        let depth = forest.place(of: node).depth
        return Int(depth - top.depth) < levels && isWanted(node, depth)
      }
    }
    var found: [NodeID] = []
    var next: Forest<Width>.Place? = top
    while let place = next, place.position < end {
      try count(1)
      let node = forest.node(at: place)
      if isWanted(node, place.depth) { found.append(node) }
      let goesOn = Int(place.depth - top.depth) < levels - 1
      next = goesOn ? forest.next(place) : forest.afterSubtree(place)
    }
    return found
  }

  /// Toggles a node, which must not be a leaf.
  mutating func toggle(_ node: NodeID, in id: ViewID) {
    let slot = slot(of: id)
    let place = forest.place(of: node)
    watchers[slot].touchToggle(of: node)
    watchers[slot].isTouched = true
    record(.toggled(node, view: slot))
    let wasExpanded = watchers[slot].view.isExpanded(node, depth: place.depth)
    if wasExpanded { recordInside(place, deleting: true, inViewAt: slot) }
    watchers[slot].view.toggle(node, in: forest, indexes)
    if !wasExpanded {
      recordInside(place, deleting: false, inViewAt: slot)
      watchers[slot].expanded.append(node)
    }
  }

  /// Records that the rows below a node are inserted or deleted, because it is expanded or
  /// collapsed.
  private mutating func recordInside(
    _ place: Forest<Width>.Place,
    deleting: Bool,
    inViewAt slot: Int
  ) {
    guard let listLimit = transaction?.listLimit,
      forest[forest.node(at: place)].childCount > 0,
      let row = watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
    else { return }
    let count = watchers[slot].view.entries(
      covered: 0,
      from: place.position + 1,
      to: forest.subtreeEnd(place),
      in: forest,
      indexes
    )
    guard deleting else {
      recordRows(inViewAt: slot, RowSplice(row: row + 1, count: count, isDeletion: false))
      return
    }
    guard Int(count) <= watchers[slot].listLimit(listLimit), let first = forest.next(place) else {
      recordRows(inViewAt: slot, RowSplice(row: row + 1, count: count, isDeletion: true))
      return
    }
    var lists = SharedLists<Width>(first: first, count: count)
    recordDeletion(of: (row + 1)..<(row + 1 + count), &lists, inViewAt: slot)
  }
}
