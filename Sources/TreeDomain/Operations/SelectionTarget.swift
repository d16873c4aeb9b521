package import TreeEngine

/// The nodes to select or deselect.
package enum SelectionTarget: Equatable, Sendable {
  /// The nodes with some keys: a range of ``Batch/keys`` without duplicates.
  case keys(PackedRange)
  /// The node with this key and its subtree, hidden or not.
  case subtree(ByteSlice)
}
