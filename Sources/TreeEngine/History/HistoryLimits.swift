/// The limits of a tree's history, from which views learn what changed since a commit.
///
/// The oldest commit is forgotten first. A commit that exceeds a limit on its own is not
/// remembered.
public struct HistoryLimits: Equatable, Sendable {
  /// The number of commits that affected a view, for each view.
  public var commits: Int
  /// The number of deleted rows and toggled or selected nodes that a view remembers, for each view.
  public var rows: Int
  /// The same for all views of a tree together.
  public var totalRows: Int
  /// The number of removed nodes that keep id and key because a change list may name them, for the
  /// tree.
  public var removedNodes: Int
  /// The number of remembered node states and moved nodes, for the tree.
  ///
  /// A node state is stored for each node that was updated or whose children changed.
  public var readings: Int
  /// The number of moved nodes above which a commit remembers only those that some view listed.
  ///
  /// Transactions list at least this many rows, whatever their own limit. A row that was moved can
  /// be told from a new row only if it was listed.
  public var listedRows: Int

  /// Creates limits.
  public init(
    commits: Int = 256,
    rows: Int = 20_000,
    totalRows: Int = 1_000_000,
    removedNodes: Int = 100_000,
    readings: Int = 100_000,
    listedRows: Int = 1_000
  ) {
    self.commits = commits
    self.rows = rows
    self.totalRows = totalRows
    self.removedNodes = removedNodes
    self.readings = readings
    self.listedRows = listedRows
  }

  /// The limits of a tree without history.
  public static let none = HistoryLimits(
    commits: 0,
    rows: 0,
    totalRows: 0,
    removedNodes: 0,
    readings: 0,
    listedRows: 0
  )
}
