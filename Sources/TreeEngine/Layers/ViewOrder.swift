/// The order of a view's rows.
public enum ViewOrder: Sendable {
  /// Each node before its descendants: pre-order.
  case depthFirst
  /// The subtree of one root after the other, each by depth, and within a depth in pre-order.
  case breadthFirst
}
