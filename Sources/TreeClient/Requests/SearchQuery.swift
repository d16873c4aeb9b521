/// Nodes to be looked for.
public struct SearchQuery: Sendable {
  /// The text.
  public var text: String
  /// The value of the objects that is searched: a JSON Pointer, `""`, or `#key`.
  public var by: String?
  /// The key to go on behind.
  public var after: String?
  /// The number of matches at most, 1 to 1000.
  public var limit: Int?
  /// The members of the matches; all if nil.
  public var fields: [RowField]?
  /// True if all matches are to be counted.
  public var count: Bool

  /// Asks for matches.
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
