public import TreeEngine

/// The limits of trees and sessions.
public struct SessionLimits: Equatable, Sendable {
  /// The maximum number of sessions.
  public var maxSessions = 200_000
  /// The maximum number of shared trees.
  public var maxTrees = 10_000
  /// The maximum number of nodes of a tree.
  public var maxNodesPerTree = 10_000_000
  /// The maximum number of sections of a tree.
  public var maxSections = 10_000
  /// The maximum number of different expansion rules with levels in the sessions of a tree.
  ///
  /// Sleeping sessions do not count.
  public var maxExpansionRulesPerTree = 64
  /// The maximum number of different orders of siblings (`viewSort`) in the sessions of a tree.
  ///
  /// Sleeping sessions do not count.
  public var maxViewSortsPerTree = 16
  /// The maximum memory that a request may need for its rollback, in bytes.
  public var maxUndoBytes = 268_435_456
  /// The maximum memory of the whole service, in bytes.
  public var maxMemoryBytes = 4 << 30
  /// The maximum depth of a node.
  ///
  /// A root has depth 0.
  public var maxDepth = 100_000
  /// The approximate maximum size of the lists in one answer, in bytes.
  ///
  /// Longer lists are cut.
  public var maxAnswerBytes = 16 << 20
  /// The maximum number of ancestors in one answer.
  ///
  /// If a node has more, the answer has only the nearest ones.
  public var maxAncestors = 10_000
  /// The approximate maximum size of the ancestors in one answer, in bytes.
  ///
  /// A single ancestor may be larger.
  public var maxAncestorBytes = 1 << 20
  /// The maximum number of entries in a change list, before it falls back to ranges.
  public var maxChanges = 10_000
  /// The maximum nesting of an object, which is also that of a request body.
  public var maxJSONDepth = 512
  /// The maximum size of an object in bytes, for the result of a merge patch.
  public var maxObjectBytes = 1_048_576
  /// The limits of the history of a tree and its sessions.
  public var history = HistoryLimits(commits: 1_000)
  /// The maximum number of answers for idempotency keys that a session or tree keeps.
  public var maxReplays = 1_000
  /// The maximum size of answers for idempotency keys that a session or tree keeps, in bytes.
  public var maxReplayBytes = 4 << 20
  /// The time for which answers for idempotency keys are kept, in seconds.
  public var replaySeconds = 86_400
  /// The maximum number of queued events of one follower, before it must catch up.
  public var maxQueuedEvents = 256
  /// The maximum size of the queued events of one follower in bytes.
  public var maxQueuedEventBytes = 1 << 20
  /// The maximum size of the queued events of all followers in bytes.
  public var maxQueuedEventBytesInAll = 256 << 20
  /// The maximum number of followers of all sessions.
  public var maxFollowers = 20_000
  /// The maximum number of followers of one session.
  public var maxFollowersPerSession = 5_000
  /// The maximum number of exports at a time, each of which may keep a former tree in memory.
  ///
  /// If there are several callers, each of them can read half as many.
  public var maxExports = 64
  /// The maximum number of exports of one tree at a time; half as many for each of several callers.
  public var maxExportsPerTree = 32
  /// The maximum number of nodes for work on an event loop.
  public var maxSmallNodes = 500
  /// The maximum number of bytes read or written by work on an event loop.
  public var maxSmallBytes = 256 << 10
  /// The maximum number of calls that wait for one tree.
  public var maxWaitingCallsPerTree = 256
  /// The maximum number of calls that wait for any tree.
  public var maxWaitingCalls = 1_024
  /// The maximum number of bytes that wait to be written to storage.
  public var maxUnwrittenBytes = 256 << 20
  /// The idle time in seconds after which a stored tree leaves memory.
  public var idleTreeSeconds = 300
  /// The idle time in seconds after which a session may sleep, if the tree is shared.
  ///
  /// It stays awake while it has followers, or while ``maxIdleViewsPerTree`` allows that.
  public var idleSessionSeconds = 600
  /// The maximum number of idle sessions of a tree that stay awake, which are those used last.
  public var maxIdleViewsPerTree = 1_000
  /// The size of journal entries in bytes after which a tree gets a new snapshot.
  public var snapshotBytes = 16 << 20
  /// The number of journal entries after which a tree gets a new snapshot.
  public var snapshotEntries = 20_000
  /// The total time of changes after which a tree gets a new snapshot.
  public var snapshotWork = Duration.seconds(1)
  /// The minimum number of expired sessions that are remembered; the maximum is twice as many.
  public var maxExpiredSessions = 10_000

  /// Makes the default limits.
  public init() {}
}
