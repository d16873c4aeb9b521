/// A query for nodes of a session.
package struct SearchQuery: Equatable, Sendable {
  /// The search for a text.
  package var search: Search
  /// The key of the node after which the search continues; `nil` for the start.
  ///
  /// The search is in pre-order, with siblings in the session's order.
  package var after: [UInt8]?
  /// The largest number of nodes to find, at least 1.
  package var limit: Int
  /// The members of the rows.
  package var fields: RowFields
  /// True if all matches are counted, which visits every node.
  package var isCounting: Bool

  /// Makes a query.
  package init(
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
