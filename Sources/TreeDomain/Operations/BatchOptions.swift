/// How a batch is to be answered.
public struct BatchOptions: Equatable, Sendable {
  /// How the change list is written; too many entries are merged in any case.
  public var format: ChangeFormat
  /// How many rows may come along with insertions and updates; 0 for none at all.
  public var includedRows: Int
  /// The members of those rows.
  public var fields: RowFields

  /// Makes options; an entry a row, without rows, is the default.
  public init(format: ChangeFormat = .rows, includedRows: Int = 0, fields: RowFields = .all) {
    self.format = format
    self.includedRows = includedRows
    self.fields = fields
  }
}
