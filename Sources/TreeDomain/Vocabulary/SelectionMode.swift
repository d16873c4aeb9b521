/// The number of nodes that a session can select.
package enum SelectionMode: String, CaseIterable, Sendable {
  /// No nodes.
  case none
  /// At most one node. Selecting another deselects it.
  case single
  /// Any number of nodes.
  case multiple
}
