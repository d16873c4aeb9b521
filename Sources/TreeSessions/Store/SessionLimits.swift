package import TreeEngine

/// The limits of trees and sessions.
package struct SessionLimits: Equatable, Sendable {
  /// The maximum number of sessions.
  package var maxSessions = 200_000
  /// The maximum number of shared trees.
  package var maxTrees = 10_000
  /// The maximum number of nodes of a tree.
  package var maxNodesPerTree = 10_000_000
  /// The maximum number of sections of a tree.
  package var maxSections = 10_000
  /// The maximum size of the names of a tree's sections together, in bytes.
  ///
  /// Each description of a tree contains them, and each change of a section stores them.
  package var maxSectionNameBytes = 256 << 10
  /// The maximum number of different expansion rules with levels in the sessions of a tree.
  ///
  /// Sleeping sessions do not count.
  package var maxExpansionRulesPerTree = 64
  /// The maximum number of different orders of siblings (`viewSort`) in the sessions of a tree.
  ///
  /// Sleeping sessions do not count.
  package var maxViewSortsPerTree = 16
  /// The maximum memory that a request may need for its rollback, in bytes.
  package var maxUndoBytes = 268_435_456
  /// The maximum memory of the whole service, in bytes.
  package var maxMemoryBytes = 4 << 30
  /// The maximum depth of a node.
  ///
  /// A root has depth 0.
  package var maxDepth = 100_000
  /// The approximate maximum size of the lists in one answer, in bytes.
  ///
  /// Longer lists are cut.
  package var maxAnswerBytes = 16 << 20
  /// The maximum number of ancestors in one answer.
  ///
  /// If a node has more, the answer has only the nearest ones.
  package var maxAncestors = 10_000
  /// The approximate maximum size of the ancestors in one answer, in bytes.
  ///
  /// A single ancestor may be larger.
  package var maxAncestorBytes = 1 << 20
  /// The maximum number of entries in a change list, before it falls back to ranges.
  package var maxChanges = 10_000
  /// The maximum nesting of an object, which is also that of a request body.
  package var maxJSONDepth = 512
  /// The maximum size of an object in bytes, for the result of a merge patch.
  package var maxObjectBytes = 1_048_576
  /// The limits of the history of a tree and its sessions.
  package var history = HistoryLimits(commits: 1_000)
  /// The maximum number of answers for idempotency keys that a session or tree keeps.
  package var maxReplays = 1_000
  /// The maximum size of answers for idempotency keys that a session or tree keeps, in bytes.
  package var maxReplayBytes = 4 << 20
  /// The time for which answers for idempotency keys are kept, in seconds.
  package var replaySeconds = 86_400
  /// The maximum number of queued events of one follower, before it must catch up.
  package var maxQueuedEvents = 256
  /// The maximum size of the queued events of one follower in bytes.
  package var maxQueuedEventBytes = 1 << 20
  /// The maximum size of the queued events of all followers in bytes.
  package var maxQueuedEventBytesInAll = 256 << 20
  /// The maximum number of followers of all sessions.
  package var maxFollowers = 20_000
  /// The maximum number of followers of one session.
  package var maxFollowersPerSession = 5_000
  /// The maximum number of exports at a time, each of which may keep a former tree in memory.
  ///
  /// If there are several callers, each of them can read half as many.
  package var maxExports = 64
  /// The maximum number of exports of one tree at a time; half as many for each of several callers.
  package var maxExportsPerTree = 32
  /// The maximum number of nodes for work on an event loop.
  package var maxSmallNodes = 500
  /// The maximum number of bytes read or written by work on an event loop.
  package var maxSmallBytes = 256 << 10
  /// The maximum number of calls that wait for one tree.
  package var maxWaitingCallsPerTree = 256
  /// The maximum number of calls that wait for any tree.
  package var maxWaitingCalls = 1_024
  /// The maximum number of bytes that wait to be written to storage.
  package var maxUnwrittenBytes = 256 << 20
  /// The idle time in seconds after which a stored tree leaves memory.
  package var idleTreeSeconds = 300
  /// The idle time in seconds after which a session may sleep, if the tree is shared.
  ///
  /// It stays awake while it has followers, or while ``maxIdleViewsPerTree`` allows that.
  package var idleSessionSeconds = 600
  /// The maximum number of idle sessions of a tree that stay awake, which are those used last.
  package var maxIdleViewsPerTree = 1_000
  /// The size of journal entries in bytes after which a tree gets a new snapshot.
  package var snapshotBytes = 16 << 20
  /// The number of journal entries after which a tree gets a new snapshot.
  package var snapshotEntries = 20_000
  /// The total time of changes after which a tree gets a new snapshot.
  package var snapshotWork = Duration.seconds(1)

  /// Makes the default limits.
  package init() {}
}
