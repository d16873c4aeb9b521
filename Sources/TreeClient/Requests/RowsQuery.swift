/// A query for a page of rows.
public struct RowsQuery: Sendable {
  private enum Extent: Sendable {
    case range(offset: Int, limit: Int)
    case around(String, before: Int?, after: Int?)
  }

  private var extent: Extent
  /// The members of the rows; all if nil.
  public var fields: [RowField]?
  /// The maximum number of ancestors of the first row, of which the nearest are read; nil for all.
  public var ancestors: Int?
  /// The revision since which the page also contains the changes; nil for none.
  public var since: Int?
  /// The format of those changes.
  public var changes: ChangeFormat?
  /// The expected revision; at any other, the request fails with 409 `revision-changed`.
  public var revision: Int?

  /// Creates a query for 1 to 1000 rows from an index on.
  public init(offset: Int = 0, limit: Int = 100, fields: [RowField]? = nil) {
    extent = .range(offset: offset, limit: limit)
    self.fields = fields
  }

  /// Creates a query for the row of a key, with rows before and after it.
  public init(
    around key: String,
    before: Int? = nil,
    after: Int? = nil,
    fields: [RowField]? = nil
  ) {
    extent = .around(key, before: before, after: after)
    self.fields = fields
  }

  var query: Query {
    var (offset, limit, key, before, after): (Int?, Int?, String?, Int?, Int?)
    switch extent {
    case .range(let from, let count): (offset, limit) = (from, count)
    case .around(let center, let above, let below): (key, before, after) = (center, above, below)
    }
    return [
      "offset": offset.map(String.init), "limit": limit.map(String.init), "around": key,
      "before": before.map(String.init), "after": after.map(String.init),
      "fields": fields?.joined, "ancestors": ancestors.map(String.init),
      "since": since.map(String.init), "changes": changes?.rawValue,
      "revision": revision.map(String.init),
    ]
  }
}
