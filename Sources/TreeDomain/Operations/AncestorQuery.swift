/// A request for the ancestors of a row.
public struct AncestorQuery: Equatable, Sendable {
  /// The largest number of ancestors, counted from the parent up.
  public var limit: Int
  /// The members of the ancestors; `nil` for key, index and depth.
  public var fields: RowFields?

  /// Makes a query.
  ///
  /// The default is all ancestors with key, index and depth.
  public init(limit: Int = .max, fields: RowFields? = nil) {
    self.limit = limit
    self.fields = fields
  }
}
