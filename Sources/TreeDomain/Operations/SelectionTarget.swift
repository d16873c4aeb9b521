public import TreeEngine

/// Which nodes are selected or deselected.
public enum SelectionTarget: Equatable, Sendable {
  /// Those with some keys, a range of ``Batch/keys``, none of which comes twice.
  case keys(PackedRange)
  /// The node with this key and everything below it, hidden or not.
  case subtree(ByteSlice)
}
