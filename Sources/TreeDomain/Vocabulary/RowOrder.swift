/// The order of a session's rows.
package enum RowOrder: String, CaseIterable, Sendable {
  /// Pre-order: each node is directly followed by its subtree.
  case depthFirst
  /// By depth inside each section. Nodes of equal depth have the same order as in `depthFirst`.
  case breadthFirst
}
