/// A request for the ancestors of a row.
public struct AncestorQuery: Equatable, Sendable {
  /// The most that are wanted, counted from the nearest up.
  public var limit: Int
  /// The members of their rows; `nil` for key, index and depth.
  public var fields: RowFields?

  /// Makes a query; all ancestors with key, index and depth is the default.
  public init(limit: Int = .max, fields: RowFields? = nil) {
    self.limit = limit
    self.fields = fields
  }
}
