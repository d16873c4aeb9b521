import Synchronization
public import TreeDomain

// What nobody waits for.
extension SessionStore {
  /// How often that is to be done, in seconds: so much later storage knows of a use.
  public static let maintenanceSeconds = 5

  /// Sees to what has to be done now and then: ends sessions that nobody has used for as long as
  /// they asked for, has others sleep and trees that lie idle leave memory, forgets answers that
  /// are kept no longer, tells storage what was used, and removes what nothing refers to.
  public func runMaintenance() {
    // Where storage failed, somebody has to find out that it works again, if no client does.
    try? core.archive?.queue.admit()
    endIdleSessions()
    putIdleSessionsToSleep()
    forgetOldAnswers()
    tellUse()
    guard let archive = core.archive else { return }
    endStoredSessions(archive)
    for tree in core.table.withLock({ $0.idleTrees(at: core.clock(), limits) }) { dismiss(tree) }
    core.table.withLock { $0.forgetHandles() }
    sweep(archive)
  }

  /// Removes what nothing refers to, a little at a time, so that commits get in between.
  private func sweep(_ archive: Archive) {
    archive.queue.addErrand { [self] in
      guard !core.table.withLock(\.isDraining),
        let hasMore = try? archive.storage.sweep(limit: 1_000), hasMore
      else { return }
      sweep(archive)
    }
  }

  /// Has sessions sleep that nobody uses while others use their tree.
  private func putIdleSessionsToSleep() {
    let time = core.clock() - limits.idleSessionSeconds
    for tree in core.table.withLock({ Array($0.trees.values) }) {
      tree.putIdleToSleep(unusedSince: time) { [core] asleep in
        // Storage knows where to look for them.
        guard core.archive != nil else { return }
        core.write(core.table.withLock { $0.dismiss(asleep, unusedSince: time) })
      }
    }
  }

  /// Has trees forget answers that are kept no longer, sixteen times while one is kept.
  private func forgetOldAnswers() {
    let now = core.clock()
    let trees = core.table.withLock { table in
      table.takeForgetting(at: now, every: limits.replaySeconds / 16) ? table.heldTrees : []
    }
    for tree in trees { tree.forgetOldAnswers(at: now) }
  }

  /// Has storage, if there is one, know when sessions were used, and what the clocks showed then.
  private func tellUse() {
    let now = core.clock()
    let (together, apart) = core.table.withLock { table in
      table.useFollowed(at: now)
      return table.takeTouched()
    }
    core.write(together, clockChanges(isWriting: !together.isEmpty))
    for use in apart { core.write([use]) }
  }

  /// What storage is to know of the clocks: what they show where it is written to anyway, and that
  /// the wall clock was set.
  private func clockChanges(isWriting: Bool) -> [StorageChange] {
    guard let reading = core.clockReading() else { return [] }
    return core.table.withLock { table in
      // Their seconds begin at different moments.
      let isKnown = table.storedLead.map { abs(reading.lead - $0) <= 1 } ?? false
      guard isWriting || !isKnown else { return [] }
      table.storedLead = reading.lead
      return [.setClock(reading)]
    }
  }

  /// Ends sessions that are not in memory and whose time is over.
  private func endStoredSessions(_ archive: Archive) {
    let now = core.clock()
    let limit = 1_000
    var offset = 0
    while true {
      let found = try? archive.storage.sessions(expiredBefore: now, from: offset, limit: limit)
      guard let found else { return }
      // Those that could not be ended before, as their tree is damaged, keep nobody else.
      let isAnyNew = core.table.withLock { table in found.contains { !table.isRemembered($0.id) } }
      for session in found { end(session, ifExpiredAt: now) }
      guard !isAnyNew, found.count == limit else { return }
      offset += limit
    }
  }

  /// Ends a session that is stored, if nobody has used it since storage was told.
  private func end(_ session: StoredSession, ifExpiredAt now: Int) {
    let id = session.id
    let (known, isOwed) = core.table.withLock { ($0.sessions[id], $0.owedUse(of: id) != nil) }
    if let known {
      guard known.storedUse != known.lastUse else { return }
      core.write([SessionUse(session: id, time: known.lastUse)])
    } else if !isOwed, session.isOver(at: now) {
      end(expired: session)
    }
  }

  /// Ends a session that is not in memory.
  func end(expired session: StoredSession) {
    core.table.withLock { $0.expire(session.id) }
    guard let archive = core.archive, let stored = try? archive.storage.tree(session.tree) else {
      return
    }
    if session.isPrivate {
      // Nobody else looks at its tree, which need not be read to be deleted.
      archive.write([.removeSession(session.id, expired: true), .deleteTree(session.tree)])
      return
    }
    let tree = core.table.withLock { table in
      table.tree(stored.number) { handle(of: stored, nil) }
    }
    let now = core.clock()
    tree.runInBackground { manager throws(ServiceError) in
      _ = try tree.close(session.id, in: &manager, expired: true, at: now)
    }
  }

  /// Has a tree leave memory, if nobody follows it and all of it is on disk.
  private func dismiss(_ tree: LockedTree) {
    tree.leaveMemory { [core] sessions in
      core.write(core.table.withLock { $0.dismiss(sessions) })
    }
  }

  /// Whether changes can be kept, which is tried again if they could not, and no end is near.
  public var readiness: Readiness {
    guard !core.table.withLock(\.isDraining) else { return .unready(.shuttingDown) }
    do throws(ServiceError) {
      try core.archive?.queue.admit()
      return .ready
    } catch {
      return .unready(error.code)
    }
  }

  /// How much there is, in memory and on its way to storage.
  public var statistics: ServiceStatistics {
    var statistics = core.table.withLock { $0.statistics }
    statistics.loadedTrees = core.usage.trees
    statistics.loadedNodes = core.usage.nodes
    statistics.loadedBytes = core.usage.bytes
    statistics.memory = core.usage.memory.bytes
    statistics.treeWaits = core.meter.waits
    statistics.followerResets = core.meter.resets
    statistics.journal = core.archive?.queue.statistics
    return statistics
  }

  /// Is ready no more, as the end is near; what comes is answered all the same.
  public func drain() { core.table.withLock { $0.isDraining = true } }

  /// Has storage know when sessions were last used, after the last request was answered.
  public func stop() {
    core.archive?.queue.recover()
    core.write(core.table.withLock(\.uses), clockChanges(isWriting: true))
  }
}

extension SessionStore.Core {
  /// Has storage, if there is one, know when sessions were used; again, where that is lost, unless
  /// it is one that will never be taken.
  func write(_ uses: [SessionUse], _ others: [StorageChange] = []) {
    guard let archive else { return }
    table.withLock { $0.noteTelling(uses) }
    let durability = archive.write(uses.map(\.renewal) + others)
    durability.whenKept { [self] in table.withLock { $0.noteTold(uses) } }
    durability.whenLost { [self] in
      let isOfDisk = [.storageFull, .storageFailed].contains(durability.loss?.code)
      let isToRetry = isOfDisk || uses.count > 1
      table.withLock { table in
        if isToRetry { table.noteUntold(uses) } else { table.noteTold(uses) }
        table.storedLead = nil
      }
    }
  }
}

extension StoredSession {
  /// Whether its time is over, even if it was used after storage was last told of it.
  func isOver(at now: Int) -> Bool {
    guard idleTimeoutSeconds > 0 else { return false }
    let behind = Self.grain(idleTimeoutSeconds) + SessionStore.maintenanceSeconds
    return lastUse + idleTimeoutSeconds + behind < now
  }

  /// By how many seconds a use must be later than the one storage knows to be told, of a session
  /// that may lie idle for so long.
  static func grain(_ idleTimeoutSeconds: Int) -> Int {
    idleTimeoutSeconds == 0 ? 3_600 : min(60, idleTimeoutSeconds / 10)
  }
}
