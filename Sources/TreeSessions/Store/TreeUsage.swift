import TreeDomain
import TreeEngine

/// The memory and counts of one tree with its sessions.
struct TreeUsage {
  var nodes = 0
  /// 1 for a tree in memory, otherwise 0.
  var trees = 0
  /// The memory of the tree and its views.
  var engine = TreeMemory()
  /// The memory of sessions without their views, in bytes.
  var sessions = 0
  /// The memory of answers for retries in bytes.
  var replays = 0
  /// The memory of sleeping sessions in bytes.
  var asleep = 0
  /// The memory of the sections in the description that is shown, in bytes.
  var description = 0

  /// The memory of the structure of the tree in bytes.
  var structure: Int { engine.nodes + description }

  /// The memory of awake sessions with their views, in bytes.
  var views: Int { engine.views + sessions }

  /// The memory that sessions have added to the tree, without answers for retries, in bytes.
  var addedBySessions: Int {
    views + engine.layers + engine.selections + engine.history + asleep
  }

  /// The memory of the tree itself, without what sessions have added, in bytes.
  var ownBytes: Int { bytes - addedBySessions }

  /// The memory of all kinds in bytes.
  var bytes: Int {
    addedBySessions + replays + structure + engine.content + engine.transaction
      + engine.snapshots
  }
}
