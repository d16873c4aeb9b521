/// Where among its new siblings a node goes.
public enum Place: Equatable, Sendable {
  /// By the tree's sort if it has one, else last.
  case `default`
  /// At a position of 0 or more; for a move, counted after the node was taken out.
  case index(Int)
  /// Directly before the sibling with this key.
  case before(ByteSlice)
  /// Directly after the sibling with this key.
  case after(ByteSlice)
  /// Before all siblings.
  case first
  /// Before the first sibling that compares greater by an order of ``Batch/orders``.
  case sorted(Int)
}
