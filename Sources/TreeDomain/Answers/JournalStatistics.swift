/// Statistics about writes of changes to storage.
package struct JournalStatistics: Equatable, Sendable {
  /// The number of changes that wait to be written.
  package var waitingWorks = 0
  /// The approximate size of these changes in bytes.
  package var waitingBytes = 0
  /// The number of failed commits.
  package var failedCommits = 0
  /// The durations of successful commits.
  package var commits = DurationCounts()

  /// Makes statistics without any writes.
  package init() {}

  /// Adds the statistics of other storage.
  package mutating func add(_ other: JournalStatistics) {
    waitingWorks += other.waitingWorks
    waitingBytes += other.waitingBytes
    failedCommits += other.failedCommits
    commits.add(other.commits)
  }
}
