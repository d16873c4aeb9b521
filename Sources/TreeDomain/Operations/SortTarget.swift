/// Which siblings are sorted.
public enum SortTarget: Equatable, Sendable {
  /// The children of every node, and the roots.
  case everywhere
  /// The roots, inside each section, or inside one alone.
  case roots(section: ByteSlice?)
  /// The children of the node with this key.
  case children(of: ByteSlice)
}
