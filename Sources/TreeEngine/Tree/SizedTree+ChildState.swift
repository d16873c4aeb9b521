extension SizedTree {
  /// Sets the state of a node's children, and the number to report until they are loaded.
  ///
  /// A node that becomes a leaf loses its toggles in all views. If it gains children again, its
  /// expansion follows the rule.
  ///
  /// - Parameters:
  ///   - state: The new state. Existing children stay.
  ///   - hint: The number of children to report while there are none; nil if unknown.
  ///   - node: The node.
  /// - Precondition: A node that becomes a leaf has no children. `hint` is nil for a leaf, and for
  ///   a node whose children are loaded.
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

  /// Returns the number of children to report until a node's children are loaded; nil if unknown.
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
    recordUnloaded(node, -1)
    forest[node].childState = state
    if hint != nil || !forest.hints.isEmpty { forest.hints[node] = hint }
    recordUnloaded(node, 1)
  }
}
