/// The statistics of a service at one moment.
public struct ServiceStatistics: Equatable, Sendable {
  /// The number of shared trees.
  public var sharedTrees = 0
  /// The number of trees in memory, private ones included.
  public var loadedTrees = 0
  /// The number of sessions.
  public var sessions = 0
  /// The number of sessions in memory.
  public var loadedSessions = 0
  /// The number of nodes of the trees in memory.
  public var loadedNodes = 0
  /// The size of keys, objects and stored answers of the trees in memory, in bytes.
  public var loadedBytes = 0
  /// The size of memory by kind.
  ///
  /// Memory of connections is not included.
  public var memory = MemoryBytes()
  /// The number of streams and of requests that wait for events.
  public var followers = 0
  /// The durations for which calls waited for locked trees.
  public var treeWaits = DurationCounts()
  /// The number of followers that had to read everything again because the history was too short.
  public var followerResets = 0
  /// The statistics of writes to storage; nil if nothing is stored.
  public var journal: JournalStatistics?

  /// Makes statistics of an empty service.
  public init() {}

  /// Adds the statistics of another part of the service, which shares its memory with this part.
  ///
  /// Both parts count the trees, nodes and bytes in memory, the waits and the resets in common. So
  /// these are taken from `other` and not added.
  public mutating func add(_ other: ServiceStatistics) {
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
