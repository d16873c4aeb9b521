public import TreeEngine

/// What children are set.
public enum NewChildren: Equatable, Sendable {
  /// Exactly these: a range of ``Batch/nodes`` in pre-order, the topmost at depth 0.
  case nodes(PackedRange)
  /// None, so that the node is a leaf.
  case none
  /// Nothing but what is known of them: one of ``ChildState/unloaded``, ``ChildState/loading`` and
  /// ``ChildState/failed``, and perhaps how many there will be.
  case state(ChildState, hint: Int32?)
}
