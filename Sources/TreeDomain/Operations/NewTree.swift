public import TreeEngine

/// A shared tree to be made, with what it holds at first.
public struct NewTree: Equatable, Sendable {
  /// What all slices point into.
  public var bytes: [UInt8]
  /// The name it is to have; `nil` for one that is made up.
  public var tree: TreeID?
  /// The order of siblings; empty for arrival order.
  public var sort: SortOrder
  /// The names of the sections, in order; none for a tree without.
  public var sections: [ByteSlice]
  /// The nodes, in pre-order; roots have depth 0.
  public var nodes: [NewNode]
  /// The sections that roots name, by their positions in ``nodes``.
  public var rootSections: [Int: ByteSlice]
  /// How many of the first ``bytes`` are the body it was read from; `nil` where there was none.
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
