/// Which nodes of a session are looked for.
public struct SearchQuery: Equatable, Sendable {
  /// What the nodes must contain.
  public var search: Search
  /// The key of the node behind which the search goes on, in tree order; `nil` for the start.
  public var after: [UInt8]?
  /// The most nodes to find, 1 or more.
  public var limit: Int
  /// The members of rows that are wanted.
  public var fields: RowFields
  /// True if the number of all matches is wanted, too, which takes a look at every node.
  public var isCounting: Bool

  /// Makes a query.
  public init(
    _ search: Search,
    after: [UInt8]? = nil,
    limit: Int,
    fields: RowFields = .all,
    isCounting: Bool = false
  ) {
    self.search = search
    self.after = after
    self.limit = limit
    self.fields = fields
    self.isCounting = isCounting
  }
}
