/// A new tree that sessions can share.
public struct NewTree: Sendable, Hashable, Encodable {
  /// The id; if nil, the service creates one.
  public var tree: String?
  /// The order of siblings; nil to keep the given order.
  public var sort: [TreeSortDescriptor]?
  /// The names of its sections; a single nameless one if nil.
  public var sections: [String]?
  /// The roots, with what is below them.
  public var nodes: [NewNode]?

  /// Creates a description of a tree.
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
