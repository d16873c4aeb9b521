/// A tree to be made, for sessions to share.
public struct NewTree: Sendable, Hashable, Encodable {
  /// The id; one is made up if nil.
  public var tree: String?
  /// The order of siblings; that of arrival if nil.
  public var sort: [TreeSortDescriptor]?
  /// The names of its sections; a single nameless one if nil.
  public var sections: [String]?
  /// The roots, with what is below them.
  public var nodes: [NewNode]?

  /// Describes a tree.
  public init(
    _ tree: String? = nil,
    sort: [TreeSortDescriptor]? = nil,
    sections: [String]? = nil,
    nodes: [NewNode]? = nil
  ) {
    self.tree = tree
    self.sort = sort
    self.sections = sections
    self.nodes = nodes
  }
}
