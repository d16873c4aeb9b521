/// A change of a ``TreeView``.
public struct TreeViewChange<Object: Decodable & Sendable>: Sendable {
  /// A kind of change.
  public enum Kind: Sendable {
    /// A change list was applied: ``ChangeList/tableUpdates`` brings a table along.
    case list(ChangeList<Object>)
    /// Rows that are shown were read: they are to be configured again.
    case rows(ClosedRange<Int>)
    /// All was read anew, and rows have other indexes.
    case all
    /// Only the status, or the range, is another one.
    case status
  }

  /// The kind of the change.
  public let kind: Kind
  /// The number of rows by which the range moved.
  ///
  /// A list that scrolls by as many rows shows no movement.
  public let shift: Int
}
