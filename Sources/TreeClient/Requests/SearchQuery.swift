/// A query for the nodes that contain a text.
public struct SearchQuery: Sendable {
  /// The text to search for.
  public var text: String
  /// The value to search: a JSON Pointer into the object, `""` for all of it, or `#key`.
  public var by: String?
  /// The key after which the search begins.
  public var after: String?
  /// The maximum number of matches, 1 to 1000.
  public var limit: Int?
  /// The members of the matches; all if nil.
  public var fields: [RowField]?
  /// True to count all matches.
  public var count: Bool

  /// Creates a query.
  public init(
    _ text: String,
    by: String? = nil,
    after: String? = nil,
    limit: Int? = nil,
    fields: [RowField]? = nil,
    count: Bool = false
  ) {
    self.text = text
    self.by = by
    self.after = after
    self.limit = limit
    self.fields = fields
    self.count = count
  }

  var query: Query {
    [
      "q": text, "by": by, "after": after, "limit": limit.map(String.init),
      "fields": fields?.joined, "count": count ? "true" : nil,
    ]
  }
}
