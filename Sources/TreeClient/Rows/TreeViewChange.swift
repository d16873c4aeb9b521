/// A change of a ``TreeView``.
public struct TreeViewChange<Object: Decodable & Sendable>: Sendable {
  /// A kind of change.
  public enum Kind: Sendable {
    /// A change list was applied. ``ChangeList/tableUpdates`` are its updates of a table.
    case list(ChangeList<Object>)
    /// Shown rows were read, and must be configured again.
    case rows(ClosedRange<Int>)
    /// All rows were read again, because their indexes are unknown. Reload the table.
    case all
    /// Only the status changed.
    case status
  }

  /// The kind of the change.
  public let kind: Kind
  /// The number of rows by which the range moved.
  ///
  /// Scroll by as many rows, so that the rows stay in their places on the screen.
  public let shift: Int
}
