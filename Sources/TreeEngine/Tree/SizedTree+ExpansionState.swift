extension SizedTree {
  /// Returns true if a node is expanded in a view; false for a leaf.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isExpanded(_ node: NodeID, in id: ViewID) -> Bool {
    forest[node].childState != .leaf
      && watchers[slot(of: id)].view.isExpanded(node, depth: forest.place(of: node).depth)
  }

  /// Returns the siblings of a node that are expanded in a view, in order.
  ///
  /// - Complexity: O(*s* log *n*) for *s* siblings. If the rule expands none of them, O(*t* log
  ///   *n*) for *t* toggled nodes if those are fewer.
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

  /// Returns the number of nodes that ``expandedSiblings(of:in:)`` reads.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func siblingsAsked(of node: NodeID, in id: ViewID) -> Int {
    let slot = slot(of: id)
    return asksToggled(forSiblingsOf: node, inViewAt: slot)
      ? watchers[slot].view.toggles.count : childCount(of: forest[node].parent)
  }

  /// Returns true if it is cheaper to find the expanded siblings of a node among the toggled nodes.
  ///
  /// This requires that the rule expands none of them, and that fewer nodes are toggled than
  /// siblings exist.
  private func asksToggled(forSiblingsOf node: NodeID, inViewAt slot: Int) -> Bool {
    let view = watchers[slot].view
    return !view.rule.expands(atDepth: forest.place(of: node).depth)
      && view.toggles.count < childCount(of: forest[node].parent)
  }

  /// Returns the rule of a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func rule(of id: ViewID) -> ExpansionRule { watchers[slot(of: id)].view.rule }

  /// Returns the number of nodes that differ from the rule of a view.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func toggledCount(in id: ViewID) -> Int { watchers[slot(of: id)].view.toggles.count }

  /// Returns true if a node differs from the rule of a view.
  ///
  /// - Parameters:
  ///   - node: The node, which may have been removed.
  ///   - id: The view.
  /// - Returns: True if it is toggled.
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func isToggled(_ node: NodeID, in id: ViewID) -> Bool {
    watchers[slot(of: id)].view.isToggled(node)
  }

  /// Returns the nodes that differ from the rule of a view, in pre-order.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - proceeds: Called for each node read; false ends the search.
  /// - Returns: The nodes; none if the search was ended.
  /// - Complexity: O(*t* log *n*) for *t* of them.
  @specialized(where Width == Fanout<64>)
  public func toggledNodes(
    in id: ViewID,
    while proceeds: () -> Bool = { true }
  ) -> [NodeID] {
    inPreOrder(watchers[slot(of: id)].view.toggles, while: proceeds)
  }
}
