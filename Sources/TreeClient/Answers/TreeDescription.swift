/// A tree that sessions share.
public struct TreeDescription: Sendable, Hashable, Decodable {
  /// The id.
  public var tree: String
  /// The revision; one more with each batch that changed it.
  public var revision: Int
  /// The number of nodes.
  public var nodeCount: Int
  /// The names of the sections.
  public var sections: [String]
  /// The order of siblings.
  public var sort: [TreeSortDescriptor]
}

/// A page of trees, by the bytes of their ids.
public struct TreePage: Sendable, Hashable, Decodable {
  /// The trees.
  public var trees: [TreeDescription]
  /// The id to go on behind; nil at the end.
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
  /// The number of operations, or of lines.
  public var applied: Int
}
