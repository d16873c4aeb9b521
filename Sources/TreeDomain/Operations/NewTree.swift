public import TreeEngine

/// A shared tree to create, with its initial content.
public struct NewTree: Equatable, Sendable {
  /// The bytes that all slices refer to.
  public var bytes: [UInt8]
  /// The id of the tree; `nil` for a generated id.
  public var tree: TreeID?
  /// The order of siblings.
  ///
  /// Empty for the order of arrival.
  public var sort: SortOrder
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  public var sections: [ByteSlice]
  /// The nodes in pre-order.
  ///
  /// Roots have depth 0.
  public var nodes: [NewNode]
  /// The sections of roots, by their positions in ``nodes``.
  public var rootSections: [Int: ByteSlice]
  /// The size of the body, which is the start of ``bytes``; `nil` if there was none.
  public var bodyCount: Int?

  /// Makes a tree without nodes.
  public init(tree: TreeID? = nil) {
    self.tree = tree
    bytes = []
    sort = SortOrder([])
    sections = []
    nodes = []
    rootSections = [:]
  }

  /// The bytes of a slice.
  public subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}
