// The nodes that the client of a view has selected, rows or not.
extension TreeEditor {
  /// Selects nodes, in addition to those already selected.
  mutating func select(_ nodes: [NodeID], in id: ViewID) {
    setSelected(true, nodes, inViewAt: base.slot(of: id))
  }

  /// Deselects nodes.
  mutating func deselect(_ nodes: [NodeID], in id: ViewID) {
    setSelected(false, nodes, inViewAt: base.slot(of: id))
  }

  /// Selects a node and its descendants, hidden ones included.
  mutating func selectSubtree(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    let end = base.forest.subtreeEnd(base.forest.place(of: node))
    var next: Forest<Width>.Place? = base.forest.place(of: node)
    var slice: [NodeID] = []
    while let place = next, place.position < end {
      slice.append(base.forest.node(at: place))
      next = base.forest.next(place)
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
  mutating func deselectSubtree(
    of node: NodeID,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    let size = min(base.forest.subtreeSize(of: node), base.watchers[slot].selected.count)
    try count(size)
    try deselect(selectedNodes(atOrBelow: node, inViewAt: slot), inViewAt: slot, count)
  }

  /// Deselects all nodes.
  mutating func clearSelection(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    try deselect(base.watchers[slot].selected.nodes, inViewAt: slot, count)
  }

  /// Deselects a subtree that is about to be removed, in all views.
  ///
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  mutating func deselectAll(atOrBelow node: NodeID, _ count: StepCounter) throws(Interruption) {
    for slot in base.watchers.indices where !base.watchers[slot].selected.isEmpty {
      try count(min(base.forest.subtreeSize(of: node), base.watchers[slot].selected.count))
      try deselect(selectedNodes(atOrBelow: node, inViewAt: slot), inViewAt: slot, count)
    }
  }

  private mutating func setSelected(_ isSelected: Bool, _ nodes: [NodeID], inViewAt slot: Int) {
    var changed: [NodeID] = []
    for node in nodes {
      precondition(node != .forestRoot, "the forest root is not selected")
      let isChanged =
        isSelected
        ? base.watchers[slot].selected.insert(node)
        : base.watchers[slot].selected.remove(node)
      guard isChanged else { continue }
      changed.append(node)
      if base.watchers[slot].selectedBefore[node] == nil {
        base.watchers[slot].selectedBefore[node] = !isSelected
      }
    }
    if !changed.isEmpty { record(.selected(changed, isSelected, view: slot)) }
  }

  /// Returns the selected nodes of a subtree.
  ///
  /// Reads the subtree or all selected nodes, whichever are fewer.
  private func selectedNodes(atOrBelow node: NodeID, inViewAt slot: Int) -> [NodeID] {
    let selected = base.watchers[slot].selected
    let place = base.forest.place(of: node)
    let end = base.forest.subtreeEnd(place)
    if Int(end - place.position) <= selected.count {
      return subtree(of: node).filter { selected.contains($0) }
    }
    return selected.nodes.filter {
      (place.position..<end).contains(base.forest.place(of: $0).position)
    }
  }

  private func subtree(of node: NodeID) -> [NodeID] {
    var next: Forest<Width>.Place? = base.forest.place(of: node)
    let end = next.map { base.forest.subtreeEnd($0) } ?? 0
    var nodes: [NodeID] = []
    while let place = next, place.position < end {
      nodes.append(base.forest.node(at: place))
      next = base.forest.next(place)
    }
    return nodes
  }
}
