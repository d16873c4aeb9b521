/// A request for the ancestors of a row.
package struct AncestorQuery: Equatable, Sendable {
  /// The largest number of ancestors, counted from the parent up.
  package var limit: Int
  /// The members of the ancestors; `nil` for key, index and depth.
  package var fields: RowFields?

  /// Makes a query.
  ///
  /// The default is all ancestors with key, index and depth.
  package init(limit: Int = .max, fields: RowFields? = nil) {
    self.limit = limit
    self.fields = fields
  }
}
