/// The expanded nodes of a view: an expansion rule and the nodes that differ from it.
///
/// This is enough to step from one row to the next, and is much smaller than a view.
struct ExpandedNodes: Sendable {
  let rule: ExpansionRule
  /// The toggle number of each toggled node.
  var toggles = NodeTable<Int32>()

  /// True if no node is collapsed.
  var isAll: Bool { toggles.isEmpty && rule == .all }

  /// Returns true if a node, which must not be a leaf, is expanded.
  ///
  /// Depth counts from 1 at the roots.
  @inline(__always)
  func expands(_ node: NodeID, depth: Int32) -> Bool {
    rule.expands(atDepth: depth) != isToggled(node)
  }

  @inline(__always)
  func isToggled(_ node: NodeID) -> Bool { toggles.contains(node) }
}
