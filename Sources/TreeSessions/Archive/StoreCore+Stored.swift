import Synchronization
import TreeDomain

// Trees and sessions that are stored and not in memory.
extension StoreCore {
  /// Adds the stored trees and answers to the table.
  ///
  /// No tree is read.
  func enterStored(
    _ storage: any TreeStorage,
    _ creations: [StoredCreation]
  ) throws(StorageError) {
    let trees = try storage.sharedTrees()
    let sessionCount = try storage.sessionCount()
    var handles: [LockedTree] = []
    let start = try storage.generations().current
    for stored in trees {
      var description = try TreeDescription(stored)
      description.revision = max(description.revision, start)
      handles.append(handle(of: stored, description))
    }
    let retired = try storage.retiredRevisions()
    let clock = try storage.clockReading()
    try table.withLock { table throws(StorageError) in
      table.retired.start = start
      for retired in retired { table.retired.add(retired) }
      table.storedClock = clock ?? clockReading()
      table.isClockStored = clock != nil
      try table.restore(creations, limits)
      table.sessionCount = sessionCount
      for tree in handles {
        if let number = tree.number { _ = table.tree(number) { tree } }
        table.enter(tree)
      }
    }
    // Stored before any change, as the next process counts time from there.
    if clock == nil { StoreMaintenance(core: self).storeClock() }
  }

  /// Makes a tree that is stored and not in memory.
  func handle(of stored: StoredTree, _ description: TreeDescription?) -> LockedTree {
    let manager = TreeManager(
      absent: stored.id,
      stored.number,
      isPrivate: stored.isPrivate,
      limits: limits,
      usage: usage
    )
    let tree = LockedTree(manager, described: description, makeExecutor(), clock, archive)
    if stored.isDamaged { tree.lose() }
    return tree
  }
}
