import Synchronization
import TreeDomain

// Trees and sessions that are stored and not in memory.
extension SessionStore {
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
    try core.table.withLock { table throws(StorageError) in
      table.retired.start = start
      for retired in retired { table.retired.add(retired) }
      table.storedClock = clock ?? core.clockReading()
      table.isClockStored = clock != nil
      try table.restore(creations, limits)
      table.sessionCount = sessionCount
      for tree in handles {
        if let number = tree.number { _ = table.tree(number) { tree } }
        table.enter(tree)
      }
    }
    // Stored before any change, as the next process counts time from there.
    if clock == nil { storeClock() }
  }

  /// Makes a tree that is stored and not in memory.
  func handle(of stored: StoredTree, _ description: TreeDescription?) -> LockedTree {
    let manager = TreeManager(
      absent: stored.id,
      stored.number,
      isPrivate: stored.isPrivate,
      limits: limits,
      usage: core.usage
    )
    let tree = LockedTree(manager, described: description, makeExecutor(), core.clock, core.archive)
    if stored.isDamaged { tree.lose() }
    return tree
  }

  /// Finds a session that is not in memory.
  ///
  /// - Throws: `session-not-found`, `session-expired`, the errors of storage, and those of
  ///   ``mayAskStorage()``.
  func findStored(_ id: SessionID) throws(ServiceError) -> LockedTree {
    guard let storage = core.archive?.storage else { throw .sessionNotFound }
    try mayAskStorage()
    let found = try Archive.reading {
      () throws(StorageError) -> (StoredSession?, StoredTree?) in
      guard let session = try storage.session(id) else { return (nil, nil) }
      return (session, try storage.tree(session.tree))
    }
    guard var session = found.0 else {
      core.table.withLock { $0.recordMissing(id) }
      throw .sessionNotFound
    }
    if let use = core.table.withLock({ $0.pendingUse(of: id) }) {
      session.lastUse = max(session.lastUse, use)
    }
    guard let tree = found.1, !session.isExpired else { throw .sessionExpired }
    guard !session.isOver(at: core.clock()) else {
      end(expired: session)
      throw .sessionExpired
    }
    return enter(session, on: tree)
  }

  /// Refuses an attempt that must not wait for storage.
  ///
  /// The attempt continues on the executor of look-ups.
  func mayAskStorage() throws(ServiceError) {
    guard let attempt = mode.attempt, !attempt.mayWait else { return }
    throw attempt.refuse(to: core.lookups)
  }

  private func enter(_ session: StoredSession, on stored: StoredTree) -> LockedTree {
    let now = core.clock()
    return core.table.withLock { table in
      let tree = table.tree(stored.number) { handle(of: stored, nil) }
      if table.sessions[session.id] == nil {
        var entry = SessionTable.Entry(
          tree,
          openedBy: session.digest,
          access: session.access,
          idleTimeoutSeconds: session.idleTimeoutSeconds,
          lastUse: now
        )
        let isOwed = table.pendingUse(of: session.id) != nil
        entry.storedUse = isOwed ? SessionTable.Entry.unknownUse : session.lastUse
        table.enter(session.id, entry)
        // The look-up counts as a use.
        _ = table.use(session.id, at: now)
      }
      return tree
    }
  }
}
