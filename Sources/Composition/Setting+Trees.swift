extension Setting {
  /// The limits of trees and sessions.
  static let trees = [
    integer(
      "maxSessions",
      \.maxSessions,
      1...10_000_000,
      "maximum number of sessions of an instance"
    ),
    // The engine stores the number of children in 29 bits.
    integer(
      "maxNodesPerTree",
      \.maxNodesPerTree,
      1...536_870_911,
      "maximum number of nodes of a tree"
    ),
    // The engine numbers chunks, each larger than 32 KiB, with 22 bits.
    integer(
      "maxMemoryBytes",
      \.maxMemoryBytes,
      0...137_438_953_472,
      "maximum memory of the service in bytes; 0 for 3/4 of that of the machine or cgroup"
    ),
    integer("maxDepth", \.maxDepth, 0...10_000_000, "maximum depth of a node; a root has depth 0"),
    integer("maxKeyBytes", \.maxKeyBytes, 1...512, "maximum length of a key in bytes"),
    // The engine stores the length of an object in 24 bits.
    integer(
      "maxObjectBytes",
      \.maxObjectBytes,
      4...16_777_215,
      "maximum size of an object in bytes"
    ),
    integer(
      "maxJSONDepth",
      \.maxJSONDepth,
      8...10_000_000,
      "maximum JSON nesting of an object; a body may nest as deeply again around its objects"
    ),
    integer(
      "maxNodesPerBody",
      \.maxNodesPerBody,
      1...1_000_000_000,
      "maximum number of nodes in a body"
    ),
    integer(
      "maxSortDescriptors",
      \.maxSortDescriptors,
      1...64,
      "maximum number of criteria of a sort order"
    ),
    integer(
      "maxOperationsPerBatch",
      \.maxOperationsPerBatch,
      1...10_000_000,
      "maximum number of operations in a batch"
    ),
    integer(
      "maxChanges",
      \.maxChanges,
      0...10_000_000,
      "maximum number of entries in a change list; longer lists report ranges"
    ),
    integer(
      "maxAnswerBytes",
      \.maxAnswerBytes,
      65_536...1_073_741_824,
      "approximate maximum size of the rows or changes in an answer, in bytes"
    ),
    integer(
      "maxAncestors",
      \.maxAncestors,
      1...10_000_000,
      "maximum number of ancestors of a row in an answer, nearest first"
    ),
    integer(
      "maxAncestorBytes",
      \.maxAncestorBytes,
      4_096...1_073_741_824,
      "approximate maximum size of the ancestors of a row in an answer, in bytes"
    ),
  ]

  /// The limits of histories, replays and followers.
  static let memory = [
    integer(
      "maxTrees",
      \.maxTrees,
      1...10_000_000,
      "maximum number of shared trees of an instance"
    ),
    integer("maxSections", \.maxSections, 1...1_000_000, "maximum number of sections of a tree"),
    integer(
      "maxExpansionRulesPerTree",
      \.maxExpansionRulesPerTree,
      0...10_000,
      "maximum number of different expansion levels among the sessions of a tree"
    ),
    integer(
      "maxViewSortsPerTree",
      \.maxViewSortsPerTree,
      0...1_000,
      "maximum number of different sibling orders (viewSort) among the sessions of a tree"
    ),
    integer(
      "maxUndoBytes",
      \.maxUndoBytes,
      0...1_000_000_000_000,
      "maximum size of the undo log of a request in bytes"
    ),
    integer(
      "maxExpiredSessions",
      \.maxExpiredSessions,
      0...10_000_000,
      "number of expired sessions to remember, at least; twice as many at most"
    ),
    integer(
      "maxReplays",
      \.maxReplays,
      0...1_000_000,
      "maximum number of answers stored for idempotency keys, per session or tree"
    ),
    integer(
      "maxReplayBytes",
      \.maxReplayBytes,
      0...1_099_511_627_776,
      "maximum size of answers stored for idempotency keys, per session or tree, in bytes"
    ),
    integer(
      "replaySeconds",
      \.replaySeconds,
      0...31_536_000,
      "time that answers are stored for idempotency keys, in seconds"
    ),
    integer(
      "maxFollowers",
      \.maxFollowers,
      0...10_000_000,
      "maximum number of event streams and waiting requests of an instance"
    ),
    integer(
      "maxFollowersPerSession",
      \.maxFollowersPerSession,
      0...10_000_000,
      "maximum number of event streams and waiting requests of a session"
    ),
    integer(
      "maxExports",
      \.maxExports,
      1...1_000_000,
      "maximum number of concurrent exports, each of which may keep an old state of a tree"
    ),
    integer(
      "maxExportsPerTree",
      \.maxExportsPerTree,
      1...1_000_000,
      "maximum number of concurrent exports of a tree, a running snapshot included"
    ),
    integer(
      "maxQueuedEvents",
      \.maxQueuedEvents,
      1...1_000_000,
      "maximum number of events that wait for one follower; then it must catch up"
    ),
    integer(
      "maxQueuedEventBytes",
      \.maxQueuedEventBytes,
      1...1_099_511_627_776,
      "maximum size of the events that wait for one follower, in bytes"
    ),
    integer(
      "maxQueuedEventBytesInAll",
      \.maxQueuedEventBytesInAll,
      1...1_099_511_627_776,
      "maximum size of the events that wait for all followers, in bytes"
    ),
    integer(
      "maxHistoryCommits",
      \.maxHistoryCommits,
      0...1_000_000,
      "maximum number of changes that a session remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryRows",
      \.maxHistoryRows,
      0...100_000_000,
      "maximum number of changed rows that a session remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryRowsPerTree",
      \.maxHistoryRowsPerTree,
      0...1_000_000_000,
      "maximum number of changed rows that all sessions of a tree remember together"
    ),
    integer(
      "maxHistoryRemovedNodes",
      \.maxHistoryRemovedNodes,
      0...100_000_000,
      "maximum number of removed nodes that a tree remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryReadings",
      \.maxHistoryReadings,
      0...100_000_000,
      "maximum number of past states of nodes that a tree remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryListedRows",
      \.maxHistoryListedRows,
      0...10_000_000,
      "maximum number of deleted rows that one change remembers by key, to report their return"
    ),
  ]
}
