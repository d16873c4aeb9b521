/// The statistics of a service at one moment.
package struct ServiceStatistics: Equatable, Sendable {
  /// The number of shared trees.
  package var sharedTrees = 0
  /// The number of trees in memory, private ones included.
  package var loadedTrees = 0
  /// The number of sessions.
  package var sessions = 0
  /// The number of sessions in memory.
  package var loadedSessions = 0
  /// The number of nodes of the trees in memory.
  package var loadedNodes = 0
  /// The size of keys, objects and stored answers of the trees in memory, in bytes.
  package var loadedBytes = 0
  /// The size of memory by kind.
  ///
  /// Memory of connections is not included.
  package var memory = MemoryBytes()
  /// The number of streams and of requests that wait for events.
  package var followers = 0
  /// The durations for which calls waited for locked trees.
  package var treeWaits = DurationCounts()
  /// The number of followers that had to read everything again because the history was too short.
  package var followerResets = 0
  /// The statistics of writes to storage; nil if nothing is stored.
  package var journal: JournalStatistics?

  /// Makes statistics of an empty service.
  package init() {}

  /// Adds the statistics of another part of the service, which shares its memory with this part.
  ///
  /// Both parts count the trees, nodes and bytes in memory, the waits and the resets in common. So
  /// these are taken from `other` and not added.
  package mutating func add(_ other: ServiceStatistics) {
    sharedTrees += other.sharedTrees
    sessions += other.sessions
    loadedSessions += other.loadedSessions
    followers += other.followers
    (loadedTrees, loadedNodes) = (other.loadedTrees, other.loadedNodes)
    (loadedBytes, memory) = (other.loadedBytes, other.memory)
    (treeWaits, followerResets) = (other.treeWaits, other.followerResets)
    guard let more = other.journal else { return }
    journal = journal ?? JournalStatistics()
    journal?.add(more)
  }
}

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

/// The ability of a service to accept requests.
package enum Readiness: Equatable, Sendable {
  /// The service accepts all requests.
  case ready
  /// The service refuses changes, with the reason.
  case unready(ServiceErrorCode)
}

/// A histogram of durations.
package struct DurationCounts: Equatable, Sendable {
  /// The upper bounds of the buckets, in nanoseconds, inclusive.
  package static let bounds = [
    50_000, 100_000, 200_000, 500_000,
    1_000_000, 2_000_000, 5_000_000,
    10_000_000, 20_000_000, 50_000_000,
    100_000_000, 200_000_000, 500_000_000,
    1_000_000_000, 2_000_000_000, 5_000_000_000,
  ]

  /// The number of durations in each bucket.
  ///
  /// The last bucket has no bound.
  package private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
  /// The sum of all durations, in nanoseconds.
  package private(set) var sum = 0

  /// Makes an empty histogram.
  package init() {}

  /// Adds a duration.
  ///
  /// - Complexity: O(bounds).
  package mutating func add(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    counts[Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count] += 1
    sum += nanoseconds
  }

  /// Adds all durations of another histogram.
  ///
  /// - Complexity: O(bounds).
  package mutating func add(_ other: DurationCounts) {
    for place in counts.indices { counts[place] += other.counts[place] }
    sum += other.sum
  }
}
