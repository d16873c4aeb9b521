/// Statistics about writes of changes to storage.
public struct JournalStatistics: Equatable, Sendable {
  /// The number of changes that wait to be written.
  public var waitingWorks = 0
  /// The approximate size of these changes in bytes.
  public var waitingBytes = 0
  /// The number of failed commits.
  public var failedCommits = 0
  /// The durations of successful commits.
  public var commits = DurationCounts()

  /// Makes statistics without any writes.
  public init() {}

  /// Adds the statistics of other storage.
  public mutating func add(_ other: JournalStatistics) {
    waitingWorks += other.waitingWorks
    waitingBytes += other.waitingBytes
    failedCommits += other.failedCommits
    commits.add(other.commits)
  }
}
