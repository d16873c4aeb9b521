/// The options of a batch and its answer.
package struct BatchOptions: Equatable, Sendable {
  /// The format of the change list.
  ///
  /// Too many entries for ``ChangeFormat/rows`` are merged into ranges.
  package var format: ChangeFormat
  /// True if the change list is divided by sections.
  package var isSectioned = false
  /// The largest number of rows to include with insertions and updates.
  ///
  /// 0 for none.
  package var includedRows: Int
  /// The members of included rows.
  package var fields: RowFields
  /// True if the batch is only tried and not applied.
  package var isDryRun = false
  /// The required revision.
  ///
  /// Any other revision is a `revision-mismatch`.
  package var condition: RevisionCondition?
  /// The idempotency key, by which a repeated request is recognised.
  package var idempotency: IdempotencyKey?

  /// True if the answer is wanted as text.
  ///
  /// Its lists may then be empty.
  package var isWritten = false

  /// Makes options.
  ///
  /// The default is an entry per row, without included rows and conditions.
  package init(format: ChangeFormat = .rows, includedRows: Int = 0, fields: RowFields = .all) {
    self.format = format
    self.includedRows = includedRows
    self.fields = fields
  }
}
