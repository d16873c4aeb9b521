internal import TreeDomain
internal import TreeEngine
internal import TreeSessions

extension Setting {
  /// The limits of trees and sessions.
  static let trees = [
    // The engine numbers chunks, each larger than 32 KiB, with 22 bits.
    integer(
      "maxMemoryBytes",
      \.trees.maxMemoryBytes,
      0...137_438_953_472,
      "maximum memory of the service in bytes; 0 for 3/4 of that of the machine or cgroup"
    ),
    integer(
      "maxTrees",
      \.trees.maxTrees,
      1...10_000_000,
      "maximum number of shared trees of an instance"
    ),
    integer(
      "maxSessions",
      \.trees.maxSessions,
      1...10_000_000,
      "maximum number of sessions of an instance"
    ),
    integer(
      "maxFollowers",
      \.trees.maxFollowers,
      0...10_000_000,
      "maximum number of streams and waiting requests of an instance; "
        + "one session may have a quarter of them"
    ),
    integer(
      "maxWaitingCalls",
      \.trees.maxWaitingCalls,
      4...1_000_000,
      "maximum number of requests that wait for busy trees; one tree may have a quarter of them"
    ),
    // The engine stores the number of children in 29 bits.
    integer(
      "maxNodesPerTree",
      \.trees.maxNodesPerTree,
      1...536_870_911,
      "maximum number of nodes of a tree"
    ),
    integer(
      "maxDepth",
      \.trees.maxDepth,
      0...10_000_000,
      "maximum depth of a node; a root has depth 0"
    ),
    // The engine stores the length of an object in 24 bits.
    integer(
      "maxObjectBytes",
      \.trees.maxObjectBytes,
      4...16_777_215,
      "maximum size of an object in bytes"
    ),
    integer(
      "maxNodesPerBody",
      \.decoding.maxNodes,
      1...1_000_000_000,
      "maximum number of nodes in a body"
    ),
    integer(
      "maxOperationsPerBatch",
      \.decoding.maxOperations,
      1...10_000_000,
      "maximum number of operations in a batch"
    ),
    integer(
      "maxChanges",
      \.trees.maxChanges,
      0...10_000_000,
      "maximum number of entries in a change list; longer lists report ranges"
    ),
    integer(
      "maxAnswerBytes",
      \.trees.maxAnswerBytes,
      65_536...1_073_741_824,
      "approximate maximum size of the rows or changes in an answer, in bytes"
    ),
    integer(
      "maxUndoBytes",
      \.trees.maxUndoBytes,
      0...1_000_000_000_000,
      "maximum size of the undo log of a request in bytes"
    ),
  ]

  /// The limits of histories, replays and queued events.
  static let history = [
    integer(
      "replaySeconds",
      \.trees.replaySeconds,
      0...31_536_000,
      "time that answers are stored for idempotency keys, in seconds"
    ),
    integer(
      "maxReplayBytes",
      \.trees.maxReplayBytes,
      0...1_099_511_627_776,
      "maximum size of answers stored for idempotency keys, per session or tree, in bytes"
    ),
    integer(
      "maxHistoryCommits",
      \.trees.history.commits,
      0...1_000_000,
      "maximum number of changes that a session remembers, for `changes?since=`"
    ),
    integer(
      "maxHistoryRows",
      \.trees.history.rows,
      0...100_000_000,
      "maximum number of changed rows that a session remembers; "
        + "all sessions of a tree together remember 50 times as many"
    ),
    integer(
      "maxQueuedEvents",
      \.trees.maxQueuedEvents,
      1...1_000_000,
      "maximum number of events that wait for one follower; then it must catch up"
    ),
  ]

  /// The settings of storage and of the access log.
  static let storage = [
    text(
      "storage",
      \.storage,
      "sqlite (in data), sqlite:FOLDER, postgresql://…, or memory, which ends with the process"
    ),
    text("data", \.data, "folder of the database; created if it does not exist"),
    text(
      "advertise",
      \.advertise,
      "host:port at which other instances on the same database reach this one; "
        + "empty if this is the only instance"
    ),
    text(
      "clusterSecretFile",
      \.clusterSecretFile,
      "file with the secret that all instances on a database share; needed with advertise"
    ),
    integer(
      "minFreeBytes",
      \.minFreeBytes,
      0...1_099_511_627_776,
      "free disk space in bytes below which only deletions are accepted; 0 for none"
    ),
    integer(
      "idleTreeSeconds",
      \.trees.idleTreeSeconds,
      1...31_536_000,
      "time after which an unused stored tree leaves memory, in seconds"
    ),
    integer(
      "idleSessionSeconds",
      \.trees.idleSessionSeconds,
      1...31_536_000,
      "time after which an unused session that nobody follows may sleep, in seconds"
    ),
    integer(
      "maxIdleViewsPerTree",
      \.trees.maxIdleViewsPerTree,
      0...10_000_000,
      "number of unused sessions per tree that stay awake; those used last are kept"
    ),
    integer(
      "snapshotBytes",
      \.trees.snapshotBytes,
      4_096...1_099_511_627_776,
      "size of changes after which a snapshot of a tree is written, in bytes"
    ),
    integer(
      "snapshotEntries",
      \.trees.snapshotEntries,
      1...1_000_000_000,
      "number of changes after which a snapshot of a tree is written"
    ),
    text("accessLog", \.accessLog, "off, stderr, or a file for one JSON line per request"),
  ]
}
