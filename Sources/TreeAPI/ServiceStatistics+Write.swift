import HTTP
import TreeDomain

extension ServiceStatistics {
  /// Writes the metrics of trees and sessions, and of the journal if there is one.
  func write(to writer: inout MetricsWriter) {
    let gauges: [(name: String, value: Int, help: String)] = [
      ("trees", sharedTrees, "Shared trees."),
      ("trees_loaded", loadedTrees, "Trees in memory, those of single sessions included."),
      ("sessions", sessions, "Sessions."),
      ("sessions_loaded", loadedSessions, "Sessions in memory."),
      ("nodes_loaded", loadedNodes, "Nodes of the trees in memory."),
      ("content_bytes", loadedBytes, "Bytes of keys, objects and kept answers in memory."),
      ("followers", followers, "Streams and held requests that follow a session."),
    ]
    for (name, value, help) in gauges { writer.write("tree_server_" + name, .gauge, value, help) }
    writer.write(
      "tree_server_follower_resets_total",
      .counter,
      followerResets,
      "Followers told to read all rows anew, as history does not reach back to them."
    )
    writer.begin(
      "tree_server_tree_wait_seconds",
      .histogram,
      "How long calls waited in the queue of a tree, or for its lock."
    )
    writer.sample([], bounds: DurationCounts.bounds, counts: treeWaits.counts, sum: treeWaits.sum)
    journal?.write(to: &writer)
  }
}

extension JournalStatistics {
  fileprivate func write(to writer: inout MetricsWriter) {
    writer.write(
      "tree_server_journal_waiting_works",
      .gauge,
      waitingWorks,
      "Changes that wait to be written."
    )
    writer.write(
      "tree_server_journal_waiting_bytes",
      .gauge,
      waitingBytes,
      "About how many bytes they are."
    )
    writer.write(
      "tree_server_journal_commits_total",
      .counter,
      commits.counts.reduce(0, +),
      "Commits, each of all that waited."
    )
    writer.write(
      "tree_server_journal_failed_commits_total",
      .counter,
      failedCommits,
      "Commits that failed."
    )
    writer.begin(
      "tree_server_journal_commit_duration_seconds",
      .histogram,
      "How long commits took that did not fail."
    )
    writer.sample([], bounds: DurationCounts.bounds, counts: commits.counts, sum: commits.sum)
  }
}
