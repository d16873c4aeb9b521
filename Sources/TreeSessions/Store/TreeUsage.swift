import TreeDomain
import TreeEngine

/// The amounts that one tree holds, with its sessions.
struct TreeUsage {
  var nodes = 0
  /// 1, or 0 for a tree that is not in memory.
  var trees = 0
  /// The bytes of the tree and its views.
  var engine = TreeMemory()
  /// The bytes of what sessions have beside their views.
  var sessions = 0
  /// The bytes of answers that are kept for retries.
  var replays = 0
  /// The bytes of sessions that sleep.
  var asleep = 0

  /// The bytes of sessions that are awake, with their views.
  var views: Int { engine.views + sessions }

  /// The bytes that the sessions have added to the tree, without the answers that are kept.
  var addedBySessions: Int {
    views + engine.layers + engine.selections + engine.history + asleep
  }

  /// The bytes of the tree itself, without what its sessions have added.
  var ownBytes: Int { bytes - addedBySessions }

  /// The bytes of all kinds.
  var bytes: Int {
    addedBySessions + replays + engine.nodes + engine.content + engine.transaction
      + engine.snapshots
  }
}
