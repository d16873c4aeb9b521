package import TreeEngine

/// A shared tree to create, with its initial content.
package struct NewTree: Equatable, Sendable {
  /// The bytes that all slices refer to.
  package var bytes: [UInt8]
  /// The id of the tree; `nil` for a generated id.
  package var tree: TreeID?
  /// The order of siblings.
  ///
  /// Empty for the order of arrival.
  package var sort: SortOrder
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  package var sections: [ByteSlice]
  /// The nodes in pre-order.
  ///
  /// Roots have depth 0.
  package var nodes: [NewNode]
  /// The sections of roots, by their positions in ``nodes``.
  package var rootSections: [Int: ByteSlice]
  /// The size of the body, which is the start of ``bytes``; `nil` if there was none.
  package var bodyCount: Int?

  /// Makes a tree without nodes.
  package init(tree: TreeID? = nil) {
    self.tree = tree
    bytes = []
    sort = SortOrder([])
    sections = []
    nodes = []
    rootSections = [:]
  }

  /// The bytes of a slice.
  package subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}
