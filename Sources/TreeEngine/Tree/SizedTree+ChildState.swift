extension SizedTree {
  /// Says what is known about a node's children, and how many there are said to be.
  ///
  /// A node that becomes a leaf is expanded in no view, and follows the rule should it gain
  /// children again.
  ///
  /// - Parameters:
  ///   - state: what is known from now on; children that are there stay.
  ///   - hint: how many children it is said to have, shown while it has none.
  ///   - node: the node.
  /// - Precondition: a node that becomes a leaf has no children; `hint` is nil at a leaf and at a
  ///   node whose children are loaded.
  /// - Complexity: O(1); O(views · log *n*) for a node that becomes a leaf.
  @specialized(where Width == Fanout<64>)
  public mutating func setChildState(_ state: ChildState, hint: Int32? = nil, of node: NodeID) {
    precondition(state != .leaf || forest[node].childCount == 0, "a leaf with children")
    precondition(hint == nil || (state != .leaf && state != .loaded), "a hint of what is known")
    let old = forest[node].childState
    guard old != state || forest.hints[node] != hint else { return }
    touch(node)
    if state == .leaf { forgetToggles(of: node) }
    record(.childState(node, old, hint: forest.hints[node]))
    storeChildState(state, hint: hint, of: node)
  }

  /// How many children a node is said to have, while nobody supplied them.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childCountHint(of node: NodeID) -> Int? { forest.hints[node].map { Int($0) } }

  private mutating func forgetToggles(of node: NodeID) {
    for slot in watchers.indices {
      if watchers[slot].view.isToggled(node) {
        watchers[slot].touchToggle(of: node)
        record(.toggled(node, view: slot))
        watchers[slot].view.toggle(node, in: forest, indexes)
      }
      if watchers[slot].aside?.isToggled(node) == true {
        record(.toggledAside(node, view: slot))
        watchers[slot].aside?.toggle(node, in: forest, indexes)
      }
    }
  }

  mutating func storeChildState(_ state: ChildState, hint: Int32?, of node: NodeID) {
    noteUnloaded(node, -1)
    forest[node].childState = state
    if hint != nil || !forest.hints.isEmpty { forest.hints[node] = hint }
    noteUnloaded(node, 1)
  }
}
