package import TreeEngine

/// The nodes to select or deselect.
package enum SelectionTarget: Equatable, Sendable {
  /// The nodes with some keys: a range of ``Batch/keys`` without duplicates.
  case keys(PackedRange)
  /// The node with this key and its subtree, hidden or not.
  case subtree(ByteSlice)
}

/// The siblings to sort.
package enum SortTarget: Equatable, Sendable {
  /// The children of every node, and the roots.
  case everywhere
  /// The roots of each section, or of one section only.
  case roots(section: ByteSlice?)
  /// The children of the node with this key.
  case children(of: ByteSlice)
}

/// The parent whose children are set.
package enum ChildrenTarget: Equatable, Sendable {
  /// The roots of one section, or all roots.
  case roots(section: ByteSlice?)
  /// The children of the node with this key.
  case node(ByteSlice)
}

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

/// The number of levels that an expansion or collapse affects.
///
/// The named node is the first level.
package enum Levels: Equatable, Sendable {
  /// A number of levels, at least 1.
  case count(Int)
  /// All levels.
  case all
}
