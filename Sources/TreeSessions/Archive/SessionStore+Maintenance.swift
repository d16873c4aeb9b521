import Synchronization
public import TreeDomain

// Maintenance, which no client waits for.
extension SessionStore {
  /// The interval of maintenance in seconds.
  ///
  /// The stored time of a session's last use may be behind by as much.
  public static let maintenanceSeconds = 5

  /// Runs maintenance.
  ///
  /// Must be called every ``maintenanceSeconds``.
  ///
  /// Ends expired sessions, puts idle sessions to sleep, and removes idle trees from memory.
  /// Forgets old answers for retries, stores the last uses of sessions, and removes unused data
  /// from storage.
  public func runMaintenance() {
    // If storage failed, this checks if it works again.
    try? core.archive?.queue.admit()
    endIdleSessions()
    putIdleSessionsToSleep()
    forgetOldAnswers()
    storeUses()
    guard let archive = core.archive else { return }
    endStoredSessions(archive)
    let now = core.clock()
    core.visitTable { [limits] in
      $0.idleTrees(inPart: $1, at: now, limits)
    } _: {
      dismiss($0)
    }
    for part in 0..<SessionTable.partCount {
      core.table.withLock { $0.forgetHandles(inPart: part) }
    }
    sweep(archive)
  }

  /// Removes unused data from storage in small steps, with commits in between.
  private func sweep(_ archive: Archive) {
    archive.queue.addTask { [self] in
      guard !core.table.withLock(\.isDraining),
        let hasMore = try? archive.storage.sweep(limit: 1_000), hasMore
      else { return }
      sweep(archive)
    }
  }

  /// Puts idle sessions to sleep while others use their tree.
  private func putIdleSessionsToSleep() {
    let time = core.clock() - limits.idleSessionSeconds
    core.visitTable {
      Array($0.trees.part($1).values)
    } _: { tree in
      tree.putIdleToSleep(unusedSince: time) { [core] asleep in
        // Sessions that are not in the table are looked up in storage.
        guard core.archive != nil else { return }
        core.write(core.table.withLock { $0.dismiss(asleep, unusedSince: time) })
      }
    }
  }

  /// Makes trees forget old answers for retries, at most 16 times during `replaySeconds`.
  private func forgetOldAnswers() {
    let now = core.clock()
    let isDue = core.table.withLock { $0.popForgetting(at: now, every: limits.replaySeconds / 16) }
    guard isDue else { return }
    core.visitTable {
      $0.heldTrees(inPart: $1)
    } _: {
      $0.forgetOldAnswers(at: now)
    }
  }

  /// Stores the last uses of sessions, and the reading of the clocks.
  private func storeUses() {
    let now = core.clock()
    let (together, apart) = core.table.withLock { table in
      table.useFollowed(at: now)
      return table.popTouched()
    }
    core.write(together, clockChanges(isWriting: !together.isEmpty))
    for use in apart { core.write([use]) }
  }

  /// Stores the reading of the clocks.
  func storeClock() { core.write([], clockChanges(isWriting: true)) }

  /// The maximum age of the stored reading of the clocks in seconds.
  ///
  /// If there are trees or sessions, a new reading is stored after an hour, within a minute.
  public static let maxReadingAge = 3_600 + 60

  /// Returns the change that stores the reading of the clocks.
  ///
  /// It is needed if other changes are written, or if the wall clock was set since the last
  /// reading. With trees or sessions, it is also needed if the stored reading is an hour old or
  /// missing.
  private func clockChanges(isWriting: Bool) -> [StorageChange] {
    guard let reading = core.clockReading() else { return [] }
    return core.table.withLock { table in
      let stored = table.storedClock
      // The seconds of the two clocks begin at different moments.
      let isKnown = stored.map { abs(reading.lead - $0.lead) <= 1 } ?? false
      let isNew = table.isClockStored && reading.seconds - (stored?.seconds ?? 0) < 3_600
      let isUnused = table.trees.isEmpty && table.sessionCount == 0
      guard isWriting || !isKnown || !isNew && !isUnused else { return [] }
      table.isClockStored = true
      table.storedClock = reading
      return [.setClock(reading)]
    }
  }

  /// Ends expired sessions that are not in memory.
  private func endStoredSessions(_ archive: Archive) {
    let now = core.clock()
    let limit = 1_000
    var offset = 0
    while true {
      let found = try? archive.storage.sessions(expiredBefore: now, from: offset, limit: limit)
      guard let found else { return }
      // Sessions that could not be ended before, because their tree is damaged, do not block the
      // others.
      let isAnyNew = core.table.withLock { table in found.contains { !table.isRemembered($0.id) } }
      for session in found { end(session, ifExpiredAt: now) }
      guard !isAnyNew, found.count == limit else { return }
      offset += limit
    }
  }

  /// Ends a stored session, unless it has a later use that is not stored yet.
  private func end(_ session: StoredSession, ifExpiredAt now: Int) {
    let id = session.id
    let (known, isOwed) = core.table.withLock { ($0.sessions[id], $0.pendingUse(of: id) != nil) }
    if let known {
      guard known.storedUse != known.lastUse else { return }
      core.write([SessionUse(session: id, time: known.lastUse)])
    } else if !isOwed, session.isOver(at: now) {
      end(expired: session)
    }
  }

  /// Ends a stored session that is not in memory.
  func end(expired session: StoredSession) {
    core.table.withLock { $0.expire(session.id) }
    guard let archive = core.archive, let stored = try? archive.storage.tree(session.tree) else {
      return
    }
    if session.isPrivate {
      // No other session has this tree, so it is deleted without being read.
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

  /// Removes a tree from memory, if nobody follows it and it is completely stored.
  private func dismiss(_ tree: LockedTree) {
    tree.leaveMemory { [core] sessions in
      core.write(core.table.withLock { $0.dismiss(sessions) })
    }
  }

  /// The readiness of the service: ready if changes can be stored and no stop was announced.
  ///
  /// Checks failed storage again, at most once a second.
  public var readiness: Readiness {
    guard !core.table.withLock(\.isDraining) else { return .unready(.shuttingDown) }
    do throws(ServiceError) {
      try core.archive?.queue.admit()
      return .ready
    } catch {
      return .unready(error.code)
    }
  }

  /// Statistics of the service, in memory and on the way to storage.
  public var statistics: ServiceStatistics {
    var statistics = core.table.withLock { $0.statistics }
    statistics.loadedTrees = core.usage.trees
    statistics.loadedNodes = core.usage.nodes
    statistics.loadedBytes = core.usage.bytes
    statistics.memory = core.usage.memory.bytes
    statistics.treeWaits = core.means.meter.waits
    statistics.followerResets = core.means.meter.resets
    statistics.journal = core.archive?.queue.statistics
    return statistics
  }

  /// Makes ``readiness`` report the coming stop.
  ///
  /// Requests are still answered.
  public func drain() { core.table.withLock { $0.isDraining = true } }

  /// Stores the last uses of sessions, and the reading of the clocks.
  ///
  /// Must be called after the last request is answered.
  public func stop() {
    core.archive?.queue.recover()
    core.write(core.table.withLock(\.uses), clockChanges(isWriting: true))
  }
}

extension SessionStore.Core {
  /// Stores uses of sessions and further changes, if there is storage.
  ///
  /// Uses that were lost are stored again later, except a single one that storage refuses.
  func write(_ uses: [SessionUse], _ others: [StorageChange] = []) {
    guard let archive else { return }
    table.withLock { $0.recordSending(uses) }
    let durability = archive.write(uses.map(\.renewal) + others)
    durability.whenKept { [self] in table.withLock { $0.recordStored(uses) } }
    durability.whenLost { [self] in
      let isOfDisk = [.storageFull, .storageFailed].contains(durability.loss?.code)
      let isToRetry = isOfDisk || uses.count > 1
      table.withLock { table in
        if isToRetry { table.recordUnstored(uses) } else { table.recordStored(uses) }
        table.storedClock = nil
      }
    }
  }
}

extension StoredSession {
  /// Returns true if the session has certainly expired, although a later use may not be stored yet.
  func isOver(at now: Int) -> Bool {
    guard idleTimeoutSeconds > 0 else { return false }
    let behind = Self.grain(idleTimeoutSeconds) + SessionStore.maintenanceSeconds
    return lastUse + idleTimeoutSeconds + behind < now
  }

  /// Returns the least number of seconds between two stored uses of a session with an idle timeout.
  static func grain(_ idleTimeoutSeconds: Int) -> Int {
    idleTimeoutSeconds == 0 ? 3_600 : min(60, idleTimeoutSeconds / 10)
  }
}

extension SessionStore {
  /// The results of ``SessionStore/verify()``.
  public struct Verification: Sendable {
    /// The number of trees that were read.
    public var trees = 0
    /// The number of their sessions.
    public var sessions = 0
    /// The number of their nodes.
    public var nodes = 0
    /// The findings, a sentence each.
    public var findings: [String] = []

    /// Creates results without trees or findings.
    public init() {}
  }

  /// Reads every stored tree, one at a time.
  ///
  /// - Returns: Counts and findings.
  /// - Throws: ``StorageError`` if the storage cannot be read at all.
  /// - Complexity: O(bytes stored), with the memory of the largest tree.
  public func verify() throws(StorageError) -> Verification {
    var verification = Verification()
    guard let archive = core.archive else { return verification }
    var last = TreeNumber(0)
    while true {
      let numbers = try archive.storage.trees(after: last, limit: 1_000)
      guard let newest = numbers.last else { return verification }
      last = newest
      for number in numbers {
        // Another process may change the tree, replace its snapshot, or delete it.
        try archive.storage.reading { verify(number, archive, &verification) }
      }
    }
  }

  private func verify(
    _ number: TreeNumber,
    _ archive: Archive,
    _ verification: inout Verification
  ) {
    var name = ""
    do throws(StorageError) {
      guard let stored = try archive.storage.tree(number) else { return }
      name = "tree \(String(decoding: stored.id.bytes, as: UTF8.self)): "
      var tree = TreeManager(
        absent: stored.id,
        number,
        isPrivate: stored.isPrivate,
        limits: limits,
        usage: core.usage
      )
      try archive.read(stored, into: &tree)
      verification.trees += 1
      verification.sessions += tree.sessionIDs.count
      verification.nodes += tree.nodeCount
      tree.leave()
    } catch {
      verification.findings.append(name + error.reason)
    }
  }
}
