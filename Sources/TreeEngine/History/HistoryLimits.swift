/// How much a tree remembers of its commits, so that views can be told what changed since one.
///
/// The oldest is forgotten first. A commit that exceeds a limit by itself leaves no history.
public struct HistoryLimits: Equatable, Sendable {
  /// Commits that a view has seen something of, for each view.
  public var commits: Int
  /// What a view remembers of all its commits together, for each view: rows that went, and nodes
  /// that were toggled or selected.
  public var rows: Int
  /// The same of all views of a tree together.
  public var totalRows: Int
  /// Removed nodes that keep their ids and keys, since a change list may name them, for the tree.
  public var removedNodes: Int
  /// Readings of nodes that were updated or whose children changed, and nodes that were moved, for
  /// the tree.
  public var readings: Int
  /// A commit that moved more nodes than this keeps those alone that some view has listed.
  ///
  /// Transactions list at least so many rows, whatever limit they begin with: what came back can be
  /// told from what is new only where it was listed.
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

  /// Nothing is remembered.
  public static let none = HistoryLimits(
    commits: 0,
    rows: 0,
    totalRows: 0,
    removedNodes: 0,
    readings: 0,
    listedRows: 0
  )
}
