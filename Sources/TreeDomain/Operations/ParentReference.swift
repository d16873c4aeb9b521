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
