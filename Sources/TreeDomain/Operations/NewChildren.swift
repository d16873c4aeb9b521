package import TreeEngine

/// The new children of a node.
package enum NewChildren: Equatable, Sendable {
  /// A list of nodes: a range of ``Batch/nodes`` in pre-order. The topmost have depth 0.
  case nodes(PackedRange)
  /// No children, so that the node is a leaf.
  case none
  /// A state without a list: ``ChildState/unloaded``, ``ChildState/loading`` or
  /// ``ChildState/failed``, and optionally the expected number of children.
  case state(ChildState, hint: Int32?)
}
