import Synchronization
import TreeDomain

/// The removal of unused data while memory is tight.
final class MemoryRelief: Sendable {
  /// True while unused data is being removed.
  private let isRunning = Atomic(false)

  /// Removes unused data, the least recently used first, until memory is no longer tight.
  ///
  /// Does nothing while there is enough memory.
  func run(_ core: StoreCore) {
    guard core.usage.memory.isTight, !isRunning.exchange(true, ordering: .relaxed) else { return }
    let now = core.clock()
    var trees: [LockedTree] = []
    core.visitTable {
      $0.treesInMemory(inPart: $1)
    } _: { tree in
      if tree.isInMemory, tree.lastVisit < now { trees.append(tree) }
    }
    relieve(trees.sorted { $0.lastVisit < $1.lastVisit }[...], of: core, at: now)
  }

  private func relieve(_ trees: ArraySlice<LockedTree>, of core: StoreCore, at now: Int) {
    guard let tree = trees.first, core.usage.memory.isTight else {
      return isRunning.store(false, ordering: .relaxed)
    }
    tree.relieve(at: now, while: { core.usage.memory.isTight }) { [self] dismissed in
      if core.archive != nil {
        core.dismiss(dismissed, unusedSince: now - 1)
      }
      relieve(trees.dropFirst(), of: core, at: now)
    }
  }
}
