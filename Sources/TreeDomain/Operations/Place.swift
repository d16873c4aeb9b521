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

/// The parent in a request.
package enum ParentReference: Equatable, Sendable {
  /// No parent was given.
  case absent
  /// The parent is `null`: the node becomes a root.
  case root
  /// The key of the parent.
  case node(ByteSlice)

  /// The key of the parent; `nil` for a root and if no parent was given.
  package var key: ByteSlice? {
    if case .node(let key) = self { key } else { nil }
  }
}
