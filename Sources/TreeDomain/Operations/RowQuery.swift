/// A query for a page of a session's rows.
package struct RowQuery: Equatable, Sendable {
  /// The position of the page.
  package enum Window: Equatable, Sendable {
    /// At most `limit` rows, from an index of 0 or more on.
    case offset(Int, limit: Int)
    /// The row of a key, with up to `before` rows before it and `after` rows after it.
    case around(key: [UInt8], before: Int, after: Int)
  }

  /// The position of the page.
  package var window: Window
  /// The members of the rows.
  package var fields: RowFields
  /// The revision since which changes of rows are included; `nil` for no changes.
  package var since: Revision?
  /// The format of these changes.
  package var changeFormat = ChangeFormat.rows
  /// The query for the ancestors of the first row.
  package var ancestors = AncestorQuery()
  /// The client's revision.
  ///
  /// Any other revision is refused; `nil` for no check.
  package var expectedRevision: Revision?
  /// The revisions of pages that the client has.
  ///
  /// Such a page is not written.
  package var heldRevisions: RevisionCondition.Revisions?

  /// Makes a query.
  package init(
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
