extension Setting {
  /// The limits of trees and sessions.
  static let trees = [
    integer("maxSessions", \.maxSessions, 1...10_000_000, "sessions alive at once"),
    // The engine stores the number of children in 29 bits.
    integer(
      "maxNodesPerTree",
      \.maxNodesPerTree,
      1...536_870_911,
      "nodes of one tree"
    ),
    // The engine numbers chunks, each larger than 32 KiB, with 22 bits.
    integer(
      "maxMemoryBytes",
      \.maxMemoryBytes,
      0...137_438_953_472,
      "bytes of memory for all there is; 0 = three quarters of the machine's or the cgroup's"
    ),
    integer("maxDepth", \.maxDepth, 0...10_000_000, "depth of a node; a root has depth 0"),
    integer("maxKeyBytes", \.maxKeyBytes, 1...512, "bytes of a key"),
    // The engine stores the length of an object in 24 bits.
    integer("maxObjectBytes", \.maxObjectBytes, 4...16_777_215, "bytes of an object"),
    integer(
      "maxJSONDepth",
      \.maxJSONDepth,
      8...10_000_000,
      "levels of nesting in an object, and around it"
    ),
    integer("maxNodesPerBody", \.maxNodesPerBody, 1...1_000_000_000, "nodes one body may bring"),
    integer("maxSortDescriptors", \.maxSortDescriptors, 1...64, "descriptors of one sort order"),
    integer(
      "maxOperationsPerBatch",
      \.maxOperationsPerBatch,
      1...10_000_000,
      "operations of one batch"
    ),
    integer(
      "maxChanges",
      \.maxChanges,
      0...10_000_000,
      "entries of a change list before it falls back to ranges"
    ),
    integer(
      "maxAnswerBytes",
      \.maxAnswerBytes,
      65_536...1_073_741_824,
      "about how many bytes of rows or changes one answer has; pages are cut short there"
    ),
    integer(
      "maxAncestors",
      \.maxAncestors,
      1...10_000_000,
      "ancestors of a row or node in one answer; of more, the nearest"
    ),
    integer(
      "maxAncestorBytes",
      \.maxAncestorBytes,
      4_096...1_073_741_824,
      "about how many bytes these ancestors have together; of more, the nearest"
    ),
  ]

  /// The limits of histories, replays and followers.
  static let memory = [
    integer("maxTrees", \.maxTrees, 1...10_000_000, "shared trees alive at once"),
    integer("maxSections", \.maxSections, 1...1_000_000, "sections of one tree"),
    integer(
      "maxExpansionRulesPerTree",
      \.maxExpansionRulesPerTree,
      0...10_000,
      "different numbers of levels that the sessions of one tree are expanded by"
    ),
    integer(
      "maxUndoBytes",
      \.maxUndoBytes,
      0...1_000_000_000_000,
      "bytes that one request may take to be undone"
    ),
    integer(
      "maxExpiredSessions",
      \.maxExpiredSessions,
      0...10_000_000,
      "expired sessions that are remembered as such"
    ),
    integer(
      "maxReplays",
      \.maxReplays,
      0...1_000_000,
      "answers kept for idempotency keys, of one session or tree"
    ),
    integer(
      "maxReplayBytes",
      \.maxReplayBytes,
      0...1_099_511_627_776,
      "bytes of the answers kept for idempotency keys, of one session or tree"
    ),
    integer(
      "replaySeconds",
      \.replaySeconds,
      0...31_536_000,
      "seconds that answers are kept for idempotency keys"
    ),
    integer(
      "maxFollowers",
      \.maxFollowers,
      0...10_000_000,
      "streams and held requests that follow a session, all together"
    ),
    integer(
      "maxFollowersPerSession",
      \.maxFollowersPerSession,
      0...10_000_000,
      "streams and held requests that follow one session"
    ),
    integer(
      "maxExports",
      \.maxExports,
      1...1_000_000,
      "exports read at once, each of which may hold a tree as it was"
    ),
    integer(
      "maxExportsPerTree",
      \.maxExportsPerTree,
      1...1_000_000,
      "exports of one tree read at once, with the snapshot that is being written of it"
    ),
    integer(
      "maxQueuedEvents",
      \.maxQueuedEvents,
      1...1_000_000,
      "events that wait for one follower before it must catch up"
    ),
    integer(
      "maxQueuedEventBytes",
      \.maxQueuedEventBytes,
      1...1_099_511_627_776,
      "bytes of the events that wait for one follower"
    ),
    integer(
      "maxQueuedEventBytesInAll",
      \.maxQueuedEventBytesInAll,
      1...1_099_511_627_776,
      "bytes of the events that wait for all followers"
    ),
    integer(
      "maxHistoryCommits",
      \.maxHistoryCommits,
      0...1_000_000,
      "changes of one session that can be told later"
    ),
    integer(
      "maxHistoryRows",
      \.maxHistoryRows,
      0...100_000_000,
      "rows of former changes that a session remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryRowsPerTree",
      \.maxHistoryRowsPerTree,
      0...1_000_000_000,
      "rows of former changes that all sessions of a tree remember together"
    ),
    integer(
      "maxHistoryRemovedNodes",
      \.maxHistoryRemovedNodes,
      0...100_000_000,
      "removed nodes that a tree remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryReadings",
      \.maxHistoryReadings,
      0...100_000_000,
      "former states of nodes that a tree remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryListedRows",
      \.maxHistoryListedRows,
      0...10_000_000,
      "rows that one change lists one by one, so that those of them that come back are told as such"
    ),
  ]
}
