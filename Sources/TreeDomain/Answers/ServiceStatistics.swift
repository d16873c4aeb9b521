/// How much a service holds, and what it does with it, at one moment.
public struct ServiceStatistics: Equatable, Sendable {
  /// Trees that have a name of their own.
  public var sharedTrees = 0
  /// Trees in memory, those that belong to a single session included.
  public var loadedTrees = 0
  /// Sessions.
  public var sessions = 0
  /// Those of them that are in memory.
  public var loadedSessions = 0
  /// Nodes of the trees in memory.
  public var loadedNodes = 0
  /// Bytes of their keys and objects, and of the answers kept for retries.
  public var loadedBytes = 0
  /// The bytes of memory held, by kind; those of connections are not among them.
  public var memory = MemoryBytes()
  /// Streams, and requests that wait for something to happen.
  public var followers = 0
  /// The times that calls waited for trees that others worked at.
  public var treeWaits = DurationCounts()
  /// Followers that were told to read everything anew, as history does not reach back to them.
  public var followerResets = 0
  /// How changes get to storage; nil where nothing is stored.
  public var journal: JournalStatistics?

  /// Nothing yet.
  public init() {}
}
