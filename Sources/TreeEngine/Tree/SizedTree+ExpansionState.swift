extension SizedTree {
  /// Whether a node is expanded in a view; a leaf never is.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isExpanded(_ node: NodeID, in id: ViewID) -> Bool {
    forest[node].childState != .leaf
      && watchers[slot(of: id)].view.isExpanded(node, depth: forest.place(of: node).depth)
  }

  /// The siblings of a node that are expanded in a view, in order.
  ///
  /// - Complexity: O(*s* log *n*) for *s* siblings; where the rule expands none of them, O(*t*) for
  ///   *t* toggled nodes if those are fewer.
  @specialized(where Width == Fanout<64>)
  public func expandedSiblings(of node: NodeID, in id: ViewID) -> [NodeID] {
    let slot = slot(of: id)
    let parent = forest[node].parent
    if asksToggled(forSiblingsOf: node, inViewAt: slot) {
      return inPreOrder(
        watchers[slot].view.toggles.nodes.filter { other in
          other != node && forest[other].parent == parent
            && forest[other].childState != .leaf
        }
      )
    }
    let depth = forest.place(of: node).depth
    var expanded: [NodeID] = []
    forEachChild(of: parent) { other in
      let isExpanded =
        other != node && forest[other].childState != .leaf
        && watchers[slot].view.isExpanded(other, depth: depth)
      if isExpanded { expanded.append(other) }
      return true
    }
    return expanded
  }

  /// How many nodes ``expandedSiblings(of:in:)`` looks at.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func siblingsAsked(of node: NodeID, in id: ViewID) -> Int {
    let slot = slot(of: id)
    return asksToggled(forSiblingsOf: node, inViewAt: slot)
      ? watchers[slot].view.toggles.count : childCount(of: forest[node].parent)
  }

  /// Whether a node's expanded siblings are all toggled, and those are fewer than all siblings.
  private func asksToggled(forSiblingsOf node: NodeID, inViewAt slot: Int) -> Bool {
    let view = watchers[slot].view
    return !view.rule.expands(atDepth: forest.place(of: node).depth)
      && view.toggles.count < childCount(of: forest[node].parent)
  }

  /// By which rule a view's nodes are expanded.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func rule(of id: ViewID) -> ExpansionRule { watchers[slot(of: id)].view.rule }

  /// How many nodes differ from the rule of a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func toggledCount(in id: ViewID) -> Int { watchers[slot(of: id)].view.toggles.count }

  /// Whether a view has a node toggled.
  ///
  /// - Parameters:
  ///   - node: the node, which may be gone.
  ///   - id: the view.
  /// - Returns: whether it is toggled.
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func isToggled(_ node: NodeID, in id: ViewID) -> Bool {
    watchers[slot(of: id)].view.isToggled(node)
  }

  /// The nodes that are expanded though the rule of a view collapses them, or the reverse, in
  /// pre-order.
  ///
  /// - Complexity: O(*t* log *n*) for *t* of them.
  @specialized(where Width == Fanout<64>)
  public func toggledNodes(
    in id: ViewID,
    while proceeds: () -> Bool = { true }
  ) -> [NodeID] {
    inPreOrder(watchers[slot(of: id)].view.toggles, while: proceeds)
  }
}
