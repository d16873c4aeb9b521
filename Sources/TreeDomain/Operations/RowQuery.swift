/// Which rows of a session are to be read.
public struct RowQuery: Equatable, Sendable {
  /// Where the page is.
  public enum Window: Equatable, Sendable {
    /// At most `limit` rows from an index of 0 or more on.
    case offset(Int, limit: Int)
    /// The row of a key, with up to so many rows before and after it.
    case around(key: [UInt8], before: Int, after: Int)
  }

  /// Where the page is.
  public var window: Window
  /// The members of rows that are wanted.
  public var fields: RowFields
  /// The revision since which the changes of rows are wanted, too; `nil` for none.
  public var since: Revision?
  /// The form of the list of those changes.
  public var changeFormat = ChangeFormat.rows
  /// The ancestors of the first row that are wanted.
  public var ancestors = AncestorQuery()
  /// The revision the client goes by; any other one is refused.
  public var expectedRevision: Revision?
  /// The revisions of which the client has the page already; it is not written for those.
  public var heldRevisions: RevisionCondition.Revisions?

  /// Makes a query.
  public init(
    _ window: Window,
    fields: RowFields = .all,
    expectedRevision: Revision? = nil,
    heldRevisions: RevisionCondition.Revisions? = nil
  ) {
    self.window = window
    self.fields = fields
    self.expectedRevision = expectedRevision
    self.heldRevisions = heldRevisions
  }
}
