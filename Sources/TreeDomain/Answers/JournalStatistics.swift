/// How changes get to storage.
public struct JournalStatistics: Equatable, Sendable {
  /// Changes that wait to be written.
  public var waitingWorks = 0
  /// About how many bytes they are.
  public var waitingBytes = 0
  /// Commits that failed.
  public var failedCommits = 0
  /// How long the others took; there are as many as it counts.
  public var commits = DurationCounts()

  /// Nothing yet.
  public init() {}
}
