/// The options of a read of single nodes.
package struct ReadOptions: Equatable, Sendable {
  /// The members of the rows.
  package var fields: RowFields
  /// The client's revision.
  ///
  /// Any other revision is refused; `nil` for no check.
  package var expectedRevision: Revision?

  /// Makes options.
  ///
  /// The default is all members at any revision.
  package init(fields: RowFields = .all, expectedRevision: Revision? = nil) {
    self.fields = fields
    self.expectedRevision = expectedRevision
  }
}
