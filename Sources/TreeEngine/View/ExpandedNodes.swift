/// Which nodes of a view are expanded: what a rule says, but for those that are toggled.
///
/// All that it takes to go on from one row to the next; a view itself is large.
struct ExpandedNodes: Sendable {
  let rule: ExpansionRule
  /// Toggled nodes to their toggle numbers.
  var toggles = NodeTable<Int32>()

  /// Whether there is no node that hides what is below it.
  var isAll: Bool { toggles.isEmpty && rule == .all }

  /// Whether a node that is no leaf is expanded, given its depth in the sequence.
  func expands(_ node: NodeID, depth: Int32) -> Bool {
    rule.expands(atDepth: depth) != isToggled(node)
  }

  func isToggled(_ node: NodeID) -> Bool { toggles.contains(node) }
}
