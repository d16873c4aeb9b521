/// The parent whose children are set.
package enum ChildrenTarget: Equatable, Sendable {
  /// The roots of one section, or all roots.
  case roots(section: ByteSlice?)
  /// The children of the node with this key.
  case node(ByteSlice)
}
