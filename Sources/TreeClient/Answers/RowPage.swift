/// A page of rows, all of one revision.
public struct RowPage<Object: Decodable & Sendable>: Sendable, Decodable {
  /// The revision of the session.
  public var revision: Int
  /// The number of all rows.
  public var rowCount: Int
  /// The index of the first row of the page.
  public var offset: Int
  /// The ancestors of that row, the root first.
  public var ancestors: [Row<Object>]
  /// The rows.
  public var rows: [Row<Object>]
  /// The changes since the requested revision; nil if the history does not go back that far.
  public var changes: ChangeList<Object>?
}

/// A range of the children of a node, or of the roots.
public struct ChildRange<Object: Decodable & Sendable>: Sendable, Decodable {
  /// The revision of the session, or of the tree.
  public var revision: Int
  /// The key of the node; nil for the roots.
  public var parent: String?
  /// The number of all children; nil if unknown.
  public var childCount: Int?
  /// The position of the first node in the range.
  public var offset: Int
  /// The children; hidden ones have no index.
  public var nodes: [Row<Object>]
}

/// The answer to the read of a single node.
public struct SingleRow<Object: Decodable & Sendable>: Sendable, Decodable {
  /// The revision at which it was read.
  public var revision: Int
  /// The node.
  public var row: Row<Object>

  private enum CodingKeys: String, CodingKey { case revision, node }

  /// Decodes a node of a session or of a tree.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    revision = try members.decode(Int.self, forKey: .revision)
    row = try members.decodeIfPresent(Row<Object>.self, forKey: .node) ?? Row(from: decoder)
  }
}

/// Nodes, in the order of the requested keys.
public struct NodeList<Object: Decodable & Sendable>: Sendable, Decodable {
  /// The revision at which they were read.
  public var revision: Int
  /// The nodes; nil for one that does not exist.
  public var nodes: [Row<Object>?]
}

/// The ancestors of a node, the root first.
public struct AncestorList<Object: Decodable & Sendable>: Sendable, Decodable {
  /// The revision at which they were read.
  public var revision: Int
  /// The ancestors.
  public var ancestors: [Row<Object>]
}

/// Matches of a search, in the order of the tree.
public struct SearchAnswer<Object: Decodable & Sendable>: Sendable, Decodable {
  /// The revision of the session.
  public var revision: Int
  /// The matches; hidden ones have no index.
  public var matches: [Row<Object>]
  /// The key after which the next page begins; nil at the end.
  public var next: String?
  /// The number of all matches; nil unless the query asked for it.
  public var total: Int?
}

/// A section, with its rows.
public struct SectionDescription: Sendable, Hashable, Decodable {
  /// The name.
  public var section: String
  /// The place among the sections.
  public var index: Int
  /// The number of its rows; 0 while it is collapsed.
  public var rowCount: Int
  /// The index of its first row; without rows, the index that the first row would have.
  public var offset: Int
  /// The number of its roots.
  public var rootCount: Int
  /// True if its roots are shown.
  public var expanded: Bool
}
