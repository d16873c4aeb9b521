/// What a request says about a parent.
public enum ParentReference: Equatable, Sendable {
  /// Nothing.
  case absent
  /// `null`: the node is to be a root.
  case root
  /// The parent's key.
  case node(ByteSlice)

  /// The parent's key; `nil` for a root, which is also what nothing said means.
  public var key: ByteSlice? {
    if case .node(let key) = self { key } else { nil }
  }
}
