/// The limits of a tree's history, from which views learn what changed since a commit.
///
/// The oldest commit is forgotten first. A commit that exceeds a limit on its own is not
/// remembered.
public struct HistoryLimits: Equatable, Sendable {
  /// The maximum number of commits that a view remembers; only commits that affected it count.
  public var commits: Int
  /// The maximum number of items that a view remembers: commits, runs of changed rows, listed rows,
  /// and nodes that were toggled, selected or in a filter.
  public var rows: Int
  /// The same for all views of a tree together.
  public var totalRows: Int
  /// The maximum number of removed nodes that keep id and key, because a change list may name them;
  /// for the tree.
  public var removedNodes: Int
  /// The maximum number of remembered node states and moved nodes, for the tree.
  ///
  /// A node state is stored for each node that was updated or whose children changed.
  public var readings: Int
  /// The number of moved nodes above which a commit remembers only those that some view listed.
  ///
  /// Transactions list at least this many rows, whatever their own limit. Only a listed row can be
  /// recognized as moved; another one is reported as deleted and inserted.
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
