// What the client of a view has selected: a set of nodes, rows or not.
extension SizedTree {
  /// Selects nodes, besides those that are selected.
  ///
  /// - Precondition: none of them is ``NodeID/forestRoot``.
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

  /// Selects a node and everything below it, hidden or not.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func selectSubtree(of node: NodeID, in id: ViewID) {
    setSelected(true, subtree(of: node), inViewAt: slot(of: id))
  }

  /// Deselects a node and everything below it.
  ///
  /// - Complexity: O(min(*m*, *s* log *n*)) for *m* nodes and *s* selected ones.
  @specialized(where Width == Fanout<64>)
  public mutating func deselectSubtree(of node: NodeID, in id: ViewID) {
    let slot = slot(of: id)
    setSelected(false, selectedNodes(atOrBelow: node, inViewAt: slot), inViewAt: slot)
  }

  /// Deselects all that is selected.
  ///
  /// - Complexity: O(*s*) for *s* nodes.
  @specialized(where Width == Fanout<64>)
  public mutating func clearSelection(in id: ViewID) {
    let slot = slot(of: id)
    setSelected(false, Array(watchers[slot].selected), inViewAt: slot)
  }

  /// Whether a node is selected in a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func isSelected(_ node: NodeID, in id: ViewID) -> Bool {
    watchers[slot(of: id)].selected.contains(node)
  }

  /// How many nodes are selected in a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func selectedCount(of id: ViewID) -> Int { watchers[slot(of: id)].selected.count }

  /// The nodes selected in a view, in pre-order.
  ///
  /// - Complexity: O(*s* log *n*) for *s* of them.
  @specialized(where Width == Fanout<64>)
  public func selectedNodes(in id: ViewID) -> [NodeID] {
    inPreOrder(watchers[slot(of: id)].selected)
  }

  /// Whether the running transaction has changed what is selected in a view, seen as a whole.
  ///
  /// What is no longer selected because it was removed does not count.
  ///
  /// - Complexity: O(*k* log *n*) for *k* nodes selected or deselected.
  @specialized(where Width == Fanout<64>)
  public func hasSelectionChanges(in id: ViewID) -> Bool {
    let watcher = watchers[slot(of: id)]
    return watcher.selectedBefore.contains { node, before in
      forest.isAttached(node) && before != watcher.selected.contains(node)
    }
  }

  /// Deselects in all views what is about to be removed.
  mutating func deselectAll(atOrBelow node: NodeID) {
    for slot in watchers.indices where !watchers[slot].selected.isEmpty {
      setSelected(false, selectedNodes(atOrBelow: node, inViewAt: slot), inViewAt: slot)
    }
  }

  /// Nodes sorted as they stand in the tree.
  func inPreOrder(_ nodes: some Collection<NodeID>) -> [NodeID] {
    nodes.map { ($0, forest.place(of: $0).position) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  private mutating func setSelected(_ isSelected: Bool, _ nodes: [NodeID], inViewAt slot: Int) {
    var changed: [NodeID] = []
    for node in nodes {
      precondition(node != .forestRoot, "the forest root is not selected")
      let isChanged =
        isSelected
        ? watchers[slot].selected.insert(node).inserted
        : watchers[slot].selected.remove(node) != nil
      guard isChanged else { continue }
      changed.append(node)
      if watchers[slot].selectedBefore[node] == nil {
        watchers[slot].selectedBefore[node] = !isSelected
      }
    }
    if !changed.isEmpty { record(.selected(changed, isSelected, view: slot)) }
  }

  /// The selected ones of a subtree, looked for where there are fewer to look at.
  private func selectedNodes(atOrBelow node: NodeID, inViewAt slot: Int) -> [NodeID] {
    let selected = watchers[slot].selected
    let place = forest.place(of: node)
    let end = forest.subtreeEnd(place)
    if Int(end - place.position) <= selected.count {
      return subtree(of: node).filter { selected.contains($0) }
    }
    return selected.filter { (place.position..<end).contains(forest.place(of: $0).position) }
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
