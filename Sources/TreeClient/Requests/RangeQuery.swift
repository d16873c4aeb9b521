/// A query for a range of children.
public struct RangeQuery: Sendable {
  /// The position of the first child.
  public var offset: Int
  /// The maximum number of nodes, 1 to 1000.
  public var limit: Int
  /// The members of the nodes; all if nil.
  public var fields: [RowField]?
  /// The expected revision; at any other, the request fails with 409 `revision-changed`.
  public var revision: Int?

  /// Creates a query.
  public init(
    offset: Int = 0,
    limit: Int = 100,
    fields: [RowField]? = nil,
    revision: Int? = nil
  ) {
    self.offset = offset
    self.limit = limit
    self.fields = fields
    self.revision = revision
  }

  var query: Query {
    [
      "offset": String(offset), "limit": String(limit), "fields": fields?.joined,
      "revision": revision.map(String.init),
    ]
  }

  /// Returns the query for the children of a node, or for the roots of a section or of all.
  func query(below parent: String?, in section: String?) -> Query {
    query.merging(["parent": parent, "section": section]) { $1 }
  }
}
