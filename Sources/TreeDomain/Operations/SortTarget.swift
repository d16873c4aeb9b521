/// The siblings to sort.
package enum SortTarget: Equatable, Sendable {
  /// The children of every node, and the roots.
  case everywhere
  /// The roots of each section, or of one section only.
  case roots(section: ByteSlice?)
  /// The children of the node with this key.
  case children(of: ByteSlice)
}
