import Synchronization

/// What all trees in memory hold together.
///
/// Sums that each tree adds its own changes to; nothing is decided by them but whether there is
/// room, so that relaxed order is enough.
final class Usage: Sendable {
  /// What one tree holds.
  struct Amount {
    /// Bytes of keys and objects, and of answers kept for retries.
    var bytes = 0
    var nodes = 0
    /// 1, or 0 for one that is not in memory.
    var trees = 0
  }

  private let byteTotal = Atomic(0)
  private let nodeTotal = Atomic(0)
  private let treeTotal = Atomic(0)

  /// The bytes held at this moment.
  var bytes: Int { byteTotal.load(ordering: .relaxed) }

  /// The nodes held at this moment.
  var nodes: Int { nodeTotal.load(ordering: .relaxed) }

  /// The trees in memory at this moment.
  var trees: Int { treeTotal.load(ordering: .relaxed) }

  /// A tree that held something holds something else now.
  func replace(_ before: Amount, by now: Amount) {
    byteTotal.add(now.bytes - before.bytes, ordering: .relaxed)
    nodeTotal.add(now.nodes - before.nodes, ordering: .relaxed)
    treeTotal.add(now.trees - before.trees, ordering: .relaxed)
  }
}
