public import TreeEngine

/// How much trees and sessions may hold.
public struct SessionLimits: Equatable, Sendable {
  /// Sessions alive at once.
  public var maxSessions = 200_000
  /// Shared trees alive at once.
  public var maxTrees = 10_000
  /// Nodes of one tree.
  public var maxNodesPerTree = 10_000_000
  /// Sections of one tree.
  public var maxSections = 10_000
  /// Different numbers of levels that the sessions of one tree may be expanded by, those asleep not
  /// counted.
  public var maxExpansionRulesPerTree = 64
  /// The bytes that one request may take until it is done, so that it can be undone.
  public var maxUndoBytes = 268_435_456
  /// Bytes of memory that trees, sessions and all else may hold together.
  public var maxMemoryBytes = 4 << 30
  /// The deepest depth of a node; a root has 0.
  public var maxDepth = 100_000
  /// About how many bytes the lists of one answer have before they are cut short.
  public var maxAnswerBytes = 16 << 20
  /// The ancestors in one answer; of more, the nearest are listed.
  public var maxAncestors = 10_000
  /// About how many bytes the ancestors in one answer have together, if they are several.
  public var maxAncestorBytes = 1 << 20
  /// Entries of a change list before it falls back to ranges.
  public var maxChanges = 10_000
  /// The depth to which an object may be nested; as deep as the one that is read of a body.
  public var maxJSONDepth = 512
  /// How long an object may be, in bytes, which a merge patch could make it.
  public var maxObjectBytes = 1_048_576
  /// What is remembered of the past of a tree and its sessions.
  public var history = HistoryLimits(commits: 1_000)
  /// Answers kept for requests with an idempotency key, a session or tree.
  public var maxReplays = 1_000
  /// The bytes of those answers.
  public var maxReplayBytes = 4 << 20
  /// How long they are kept, in seconds.
  public var replaySeconds = 86_400
  /// Events that wait for one follower before it has to catch up.
  public var maxQueuedEvents = 256
  /// The bytes of those events.
  public var maxQueuedEventBytes = 1 << 20
  /// The bytes of the events that wait for all followers.
  public var maxQueuedEventBytesInAll = 256 << 20
  /// Followers of all sessions at once.
  public var maxFollowers = 20_000
  /// Followers of one session.
  public var maxFollowersPerSession = 5_000
  /// Exports of all trees that are read at once, each of which may hold a tree as it was.
  public var maxExports = 64
  /// Exports of one tree.
  public var maxExportsPerTree = 32
  /// The most nodes that work on an event loop may be about.
  public var maxSmallNodes = 500
  /// The most bytes that work on an event loop may read or write.
  public var maxSmallBytes = 256 << 10
  /// Calls that wait for one tree.
  public var maxWaitingCallsPerTree = 256
  /// Calls that wait for any tree.
  public var maxWaitingCalls = 1_024
  /// Bytes that wait to be written to storage.
  public var maxUnwrittenBytes = 256 << 20
  /// How long a tree may lie idle before it leaves memory, in seconds; only where it is stored.
  public var idleTreeSeconds = 300
  /// How long a session of a tree that others use may lie idle before it sleeps, in seconds; one
  /// that is followed does not.
  public var idleSessionSeconds = 600
  /// Sessions of a tree that stay awake all the same, those used last.
  public var maxIdleViewsPerTree = 1_000
  /// Bytes of journal entries after which a tree gets a new snapshot.
  public var snapshotBytes = 16 << 20
  /// Journal entries, whatever their size, after which a tree gets a new snapshot.
  public var snapshotEntries = 20_000
  /// How long changes may have taken together before a tree gets a new snapshot.
  public var snapshotWork = Duration.seconds(1)
  /// Expired sessions that are remembered as such.
  public var maxExpiredSessions = 10_000

  /// The defaults.
  public init() {}
}
