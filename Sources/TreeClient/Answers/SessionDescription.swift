/// A session and its options.
public struct SessionDescription: Sendable, Hashable, Decodable {
  /// The id.
  public var session: String
  /// The id of its tree.
  public var tree: String
  /// The revision, which grows by 1 with each batch that changes the tree or the view.
  public var revision: Int
  /// The revision of the tree.
  public var treeRevision: Int
  /// The number of rows.
  public var rowCount: Int
  /// The number of nodes of the tree.
  public var nodeCount: Int
  /// The number of selected nodes.
  public var selectedCount: Int
  /// The names of the sections.
  public var sections: [String]
  /// The changes that the session allows.
  public var access: NewSession.Access
  /// The rule for nodes that were not expanded or collapsed individually.
  public var expansion: SessionOptions.Expansion
  /// The order of rows.
  public var order: SessionOptions.Order
  /// The order of siblings among the rows; nil for that of the tree.
  public var viewSort: [TreeSortDescriptor]?
  /// The filter; nil for none.
  public var filter: TreeFilter?
  /// The number of nodes that can be selected.
  public var selection: SessionOptions.Selection
  /// The expansion of nodes below a node that is collapsed.
  public var nestedExpansion: SessionOptions.NestedExpansion
  /// True if expanding a node collapses its expanded siblings.
  public var accordion: Bool
  /// The time in seconds after which the idle session expires; 0 for never.
  public var idleTimeoutSeconds: Int
  /// The order of siblings.
  public var sort: [TreeSortDescriptor]
  /// The secret that opens this session and nothing else.
  ///
  /// Only the answer that creates a session contains it, and only if the service has keys.
  public var secret: String?
}
