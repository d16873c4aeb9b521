/// A tree that sessions share.
public struct TreeDescription: Sendable, Hashable, Decodable {
  /// The id.
  public var tree: String
  /// The revision, which grows by 1 with each batch that changes the tree.
  public var revision: Int
  /// The number of nodes.
  public var nodeCount: Int
  /// The names of the sections.
  public var sections: [String]
  /// The order of siblings.
  public var sort: [TreeSortDescriptor]
}

/// A page of trees, sorted by the bytes of their ids.
public struct TreePage: Sendable, Hashable, Decodable {
  /// The trees.
  public var trees: [TreeDescription]
  /// The id after which the next page begins; nil at the end.
  public var next: String?
}

/// The outcome of a change of a tree.
public struct TreeChange: Sendable, Hashable, Decodable {
  /// The id of the tree.
  public var tree: String
  /// The revision before.
  public var previousRevision: Int
  /// The revision after.
  public var revision: Int
  /// The number of nodes after.
  public var nodeCount: Int
  /// The number of applied operations, or of imported lines.
  public var applied: Int
}
