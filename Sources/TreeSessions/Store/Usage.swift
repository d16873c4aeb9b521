import Synchronization
import TreeDomain
import TreeEngine

/// The amounts that all trees in memory hold together.
///
/// Sums that each tree adds its own changes to; nothing is decided by them but if there is room, so
/// that relaxed order is enough.
final class Usage: Sendable {
  /// The bytes of memory, those of trees among them.
  let memory: MemoryAccount
  /// The bytes by the callers who made the trees and sessions, if there are several callers.
  let callers = CallerAccounts()
  private let nodeTotal = Atomic(0)
  private let treeTotal = Atomic(0)

  /// Creates the sums of nothing.
  init(_ memory: MemoryAccount = MemoryAccount(limit: .max / 4)) { self.memory = memory }

  /// The bytes of keys, objects and kept answers at this moment.
  var bytes: Int {
    let bytes = memory.bytes
    return bytes[.content] + bytes[.replays]
  }

  /// The nodes held at this moment.
  var nodes: Int { nodeTotal.load(ordering: .relaxed) }

  /// The trees in memory at this moment.
  var trees: Int { treeTotal.load(ordering: .relaxed) }

  /// Counts what a tree holds now in place of what it held before.
  func replace(_ before: TreeUsage, by now: TreeUsage) {
    nodeTotal.add(now.nodes - before.nodes, ordering: .relaxed)
    treeTotal.add(now.trees - before.trees, ordering: .relaxed)
    memory.add(now.engine.nodes - before.engine.nodes, to: .nodes)
    memory.add(now.engine.content - before.engine.content, to: .content)
    memory.add(now.views - before.views, to: .views)
    memory.add(now.engine.layers - before.engine.layers, to: .layers)
    memory.add(now.engine.selections - before.engine.selections, to: .selections)
    memory.add(now.engine.history - before.engine.history, to: .history)
    memory.add(now.engine.transaction - before.engine.transaction, to: .transactions)
    memory.add(now.engine.snapshots - before.engine.snapshots, to: .snapshots)
    memory.add(now.replays - before.replays, to: .replays)
    memory.add(now.asleep - before.asleep, to: .sleepingSessions)
  }
}
