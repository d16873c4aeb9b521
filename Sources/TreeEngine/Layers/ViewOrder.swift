/// The order of a view's rows.
public enum ViewOrder: Sendable {
  /// Each node before what is below it: pre-order.
  case depthFirst
  /// Root by root; the rows of one root's tree by depth, those of a depth in pre-order.
  case breadthFirst
}
