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
