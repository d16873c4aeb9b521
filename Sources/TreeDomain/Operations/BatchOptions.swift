/// How a batch is to be taken and answered.
public struct BatchOptions: Equatable, Sendable {
  /// How the change list is written; too many entries are merged in any case.
  public var format: ChangeFormat
  /// True if the change list is told section by section.
  public var isSectioned = false
  /// How many rows may come along with insertions and updates; 0 for none at all.
  public var includedRows: Int
  /// The members of those rows.
  public var fields: RowFields
  /// Whether only to tell what would happen.
  public var isDryRun = false
  /// The revision the batch needs; any other one is a `revision-mismatch`.
  public var condition: RevisionCondition?
  /// What makes a repeated request the same one.
  public var idempotency: IdempotencyKey?

  /// Whether the answer is wanted as text, to be sent as it is; its lists may stand nowhere else.
  public var isWritten = false

  /// Makes options; an entry a row, without rows, done once and under no condition is the default.
  public init(format: ChangeFormat = .rows, includedRows: Int = 0, fields: RowFields = .all) {
    self.format = format
    self.includedRows = includedRows
    self.fields = fields
  }
}
