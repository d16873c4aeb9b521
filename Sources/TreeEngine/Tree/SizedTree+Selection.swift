// What the client of a view has selected: a set of nodes, rows or not.
extension SizedTree {
  /// Selects nodes, in addition to those already selected.
  ///
  /// - Precondition: None of them is ``NodeID/forestRoot``.
  /// - Complexity: O(*k*) for *k* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func select(_ nodes: [NodeID], in id: ViewID) {
    setSelected(true, nodes, inViewAt: slot(of: id))
  }

  /// Deselects nodes.
  ///
  /// - Complexity: O(*k*) for *k* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func deselect(_ nodes: [NodeID], in id: ViewID) {
    setSelected(false, nodes, inViewAt: slot(of: id))
  }

  /// Selects a node and its descendants, hidden ones included.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func selectSubtree(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = slot(of: id)
    let end = forest.subtreeEnd(forest.place(of: node))
    var next: Forest<Width>.Place? = forest.place(of: node)
    var slice: [NodeID] = []
    while let place = next, place.position < end {
      slice.append(forest.node(at: place))
      next = forest.next(place)
      guard slice.count == Self.sliceSize else { continue }
      try count(2 * slice.count)
      setSelected(true, slice, inViewAt: slot)
      slice.removeAll(keepingCapacity: true)
    }
    try count(2 * slice.count)
    setSelected(true, slice, inViewAt: slot)
  }

  /// The number of nodes that are selected or deselected between two calls of `count`.
  private static var sliceSize: Int { 1_024 }

  private mutating func deselect(
    _ nodes: [NodeID],
    inViewAt slot: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    for start in stride(from: 0, to: nodes.count, by: Self.sliceSize) {
      let slice = nodes[start..<min(start + Self.sliceSize, nodes.count)]
      try count(2 * slice.count)
      setSelected(false, Array(slice), inViewAt: slot)
    }
  }

  /// Deselects a node and its descendants.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(min(*m*, *s* log *n*)) for *m* nodes and *s* selected ones.
  @specialized(where Width == Fanout<64>)
  public mutating func deselectSubtree(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = slot(of: id)
    let size = min(subtreeSize(of: node), watchers[slot].selected.count)
    try count(size)
    try deselect(selectedNodes(atOrBelow: node, inViewAt: slot), inViewAt: slot, count)
  }

  /// Deselects all nodes.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*s*) for *s* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func clearSelection(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = slot(of: id)
    try deselect(watchers[slot].selected.nodes, inViewAt: slot, count)
  }

  /// Returns true if a node is selected in a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func isSelected(_ node: NodeID, in id: ViewID) -> Bool {
    watchers[slot(of: id)].selected.contains(node)
  }

  /// Returns the number of nodes selected in a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func selectedCount(of id: ViewID) -> Int { watchers[slot(of: id)].selected.count }

  /// Returns the nodes selected in a view, in pre-order.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - proceeds: Called for each node read; false ends the search.
  /// - Returns: The nodes; none if the search was ended.
  /// - Complexity: O(*s* log *n*) for *s* of them, and at most O(*n*).
  @specialized(where Width == Fanout<64>)
  public func selectedNodes(in id: ViewID, while proceeds: () -> Bool = { true }) -> [NodeID] {
    inPreOrder(watchers[slot(of: id)].selected, while: proceeds)
  }

  /// Returns true if the running transaction has a net effect on the selection of a view.
  ///
  /// The loss of removed nodes does not count.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(*k* log *n*) for *k* nodes selected or deselected.
  @specialized(where Width == Fanout<64>)
  public func hasSelectionChanges(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> Bool {
    let watcher = watchers[slot(of: id)]
    try count(watcher.selectedBefore.count)
    return watcher.selectedBefore.contains { node, before in
      forest.isAttached(node) && before != watcher.selected.contains(node)
    }
  }

  /// Deselects a subtree that is about to be removed, in all views.
  ///
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  mutating func deselectAll(atOrBelow node: NodeID, _ count: StepCounter) throws(Interruption) {
    for slot in watchers.indices where !watchers[slot].selected.isEmpty {
      try count(min(subtreeSize(of: node), watchers[slot].selected.count))
      try deselect(selectedNodes(atOrBelow: node, inViewAt: slot), inViewAt: slot, count)
    }
  }

  /// The divisor of the node count: a table with more nodes than the quotient is large.
  ///
  /// A large table is sorted by a walk over all nodes of the tree.
  private static var largePart: Int { 16 }

  /// Returns the nodes of a table in pre-order; none if `proceeds` returned false.
  ///
  /// - Complexity: O(*k* log *n*) for *k* of them, and at most O(*n*).
  func inPreOrder<Value>(
    _ table: NodeTable<Value>,
    while proceeds: () -> Bool
  ) -> [NodeID] {
    guard table.count * Self.largePart > nodeCount else {
      return inPreOrder(table.nodes, while: proceeds)
    }
    var nodes: [NodeID] = []
    nodes.reserveCapacity(table.count)
    var goesOn = true
    forEachNode { node in
      goesOn = proceeds()
      if table.contains(node) { nodes.append(node) }
      return goesOn
    }
    return goesOn ? nodes : []
  }

  /// Returns nodes sorted in pre-order; none if `proceeds` returned false.
  func inPreOrder(
    _ nodes: some Collection<NodeID>,
    while proceeds: () -> Bool = { true }
  ) -> [NodeID] {
    var placed: [(node: NodeID, position: Int32)] = []
    placed.reserveCapacity(nodes.count)
    for node in nodes {
      guard proceeds() else { return [] }
      placed.append((node, forest.place(of: node).position))
    }
    return placed.sorted { $0.position < $1.position }.map(\.node)
  }

  private mutating func setSelected(_ isSelected: Bool, _ nodes: [NodeID], inViewAt slot: Int) {
    var changed: [NodeID] = []
    for node in nodes {
      precondition(node != .forestRoot, "the forest root is not selected")
      let isChanged =
        isSelected
        ? watchers[slot].selected.insert(node)
        : watchers[slot].selected.remove(node)
      guard isChanged else { continue }
      changed.append(node)
      if watchers[slot].selectedBefore[node] == nil {
        watchers[slot].selectedBefore[node] = !isSelected
      }
    }
    if !changed.isEmpty { record(.selected(changed, isSelected, view: slot)) }
  }

  /// Returns the selected nodes of a subtree.
  ///
  /// Reads the subtree or all selected nodes, whichever are fewer.
  private func selectedNodes(atOrBelow node: NodeID, inViewAt slot: Int) -> [NodeID] {
    let selected = watchers[slot].selected
    let place = forest.place(of: node)
    let end = forest.subtreeEnd(place)
    if Int(end - place.position) <= selected.count {
      return subtree(of: node).filter { selected.contains($0) }
    }
    return selected.nodes.filter { (place.position..<end).contains(forest.place(of: $0).position) }
  }

  private func subtree(of node: NodeID) -> [NodeID] {
    var next: Forest<Width>.Place? = forest.place(of: node)
    let end = next.map { forest.subtreeEnd($0) } ?? 0
    var nodes: [NodeID] = []
    while let place = next, place.position < end {
      nodes.append(forest.node(at: place))
      next = forest.next(place)
    }
    return nodes
  }
}
