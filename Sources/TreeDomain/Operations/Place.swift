/// The place of a node among its new siblings.
package enum Place: Equatable, Sendable {
  /// The place by the tree's sort order, or the last place without one.
  case `default`
  /// An index of 0 or more. For a move it counts after the node's removal.
  case index(Int)
  /// The place directly before the sibling with this key.
  case before(ByteSlice)
  /// The place directly after the sibling with this key.
  case after(ByteSlice)
  /// The first place.
  case first
  /// The place before the first sibling that compares greater. The value is an index in
  /// ``Batch/orders``.
  case sorted(Int)
}
