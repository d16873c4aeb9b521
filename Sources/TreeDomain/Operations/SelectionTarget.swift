/// Which nodes are selected or deselected.
public enum SelectionTarget: Equatable, Sendable {
  /// Those with these keys, none of which comes twice.
  case keys([ByteSlice])
  /// The node with this key and everything below it, hidden or not.
  case subtree(ByteSlice)
}
