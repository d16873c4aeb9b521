import Synchronization
import TreeDomain
import TreeEngine

/// The totals of all trees in memory.
///
/// Each tree adds its own changes. The totals only decide whether there is room, so relaxed
/// ordering suffices.
final class Usage: Sendable {
  /// The account of all memory, including that of trees.
  let memory: MemoryAccount
  /// The memory of each caller, if there are several.
  let callers = CallerAccounts()
  private let nodeTotal = Atomic(0)
  private let treeTotal = Atomic(0)

  /// Makes totals of zero.
  init(_ memory: MemoryAccount = MemoryAccount(limit: .max / 4)) { self.memory = memory }

  /// The memory of keys, objects and answers for retries in bytes.
  var bytes: Int {
    let bytes = memory.bytes
    return bytes[.content] + bytes[.replays]
  }

  /// The number of nodes.
  var nodes: Int { nodeTotal.load(ordering: .relaxed) }

  /// The number of trees in memory.
  var trees: Int { treeTotal.load(ordering: .relaxed) }

  /// Replaces the former amounts of a tree by the current ones.
  func replace(_ before: TreeUsage, by now: TreeUsage) {
    nodeTotal.add(now.nodes - before.nodes, ordering: .relaxed)
    treeTotal.add(now.trees - before.trees, ordering: .relaxed)
    memory.add(now.structure - before.structure, to: .nodes)
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
