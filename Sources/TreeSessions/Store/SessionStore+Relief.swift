import Synchronization
import TreeDomain

// Dropping unused data while memory is tight.
extension SessionStore {
  /// True if unused data should be dropped to free memory.
  ///
  /// - Complexity: O(1).
  public var isMemoryTight: Bool { core.usage.memory.isTight }

  /// Drops unused data, the least recently used first, until memory is no longer tight.
  ///
  /// Stored trees leave memory, and sessions of other trees fall asleep. Must be called often. Does
  /// nothing while there is enough memory.
  ///
  /// - Complexity: O(*t* log *t*) for *t* trees, and the dropped data, on workers.
  public func relieveMemory() {
    guard isMemoryTight, !core.isRelieving.exchange(true, ordering: .relaxed) else { return }
    let now = core.clock()
    let trees = core.table.withLock(\.treesInMemory).filter { $0.isInMemory && $0.lastVisit < now }
    relieve(trees.sorted { $0.lastVisit < $1.lastVisit }[...], at: now)
  }

  private func relieve(_ trees: ArraySlice<LockedTree>, at now: Int) {
    guard let tree = trees.first, isMemoryTight else {
      return core.isRelieving.store(false, ordering: .relaxed)
    }
    tree.relieve(at: now, while: { [core] in core.usage.memory.isTight }) { [self] dismissed in
      if core.archive != nil {
        core.write(core.table.withLock { $0.dismiss(dismissed, unusedSince: now - 1) })
      }
      relieve(trees.dropFirst(), at: now)
    }
  }
}
