/// Whose children are set.
public enum ChildrenTarget: Equatable, Sendable {
  /// The roots: those of one section, or all of them.
  case roots(section: ByteSlice?)
  /// The children of the node with this key.
  case node(ByteSlice)
}
