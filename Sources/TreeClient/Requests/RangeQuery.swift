/// A range of children to be read.
public struct RangeQuery: Sendable {
  /// The position of the first one.
  public var offset: Int
  /// The number of nodes at most, 1 to 1000.
  public var limit: Int
  /// The members of the nodes; all if nil.
  public var fields: [RowField]?
  /// The expected revision; at any other, the request fails with 409 `revision-changed`.
  public var revision: Int?

  /// Asks for a range.
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
}
