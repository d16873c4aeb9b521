import Synchronization
import TreeDomain

/// Maintenance of a store, which no client waits for.
struct StoreMaintenance {
  let core: StoreCore

  /// Runs maintenance.
  ///
  /// Ends expired sessions, puts idle sessions to sleep, and removes idle trees from memory.
  /// Forgets old answers for retries, stores the last uses of sessions, and removes unused data
  /// from storage.
  func run() {
    // If storage failed, this checks if it works again.
    try? core.archive?.queue.admit()
    let expiry = SessionExpiry(core: core)
    expiry.endIdle()
    putIdleSessionsToSleep()
    storeUses()
    // What the tasks of an earlier run have not done yet would be found again.
    let isCaughtUp = core.upkeep.isEmpty
    if isCaughtUp { forgetOldAnswers() }
    guard let archive = core.archive else { return }
    if isCaughtUp {
      expiry.endStored(archive)
      dismissIdleTrees()
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
    let time = core.clock() - core.limits.idleSessionSeconds
    core.visitTable {
      Array($0.trees.part($1).values)
    } _: { tree in
      tree.putIdleToSleep(unusedSince: time) { [core] asleep in
        // Sessions that are not in the table are looked up in storage.
        guard core.archive != nil else { return }
        core.dismiss(asleep, unusedSince: time)
      }
    }
  }

  /// Makes trees forget old answers for retries, at most 16 times during `replaySeconds`.
  private func forgetOldAnswers() {
    let now = core.clock()
    let interval = core.limits.replaySeconds / 16
    guard core.table.withLock({ $0.popForgetting(at: now, every: interval) }) else { return }
    var tasks: [UpkeepQueue.Task] = []
    core.visitTable {
      $0.heldTrees(inPart: $1)
    } _: { tree in
      tasks.append { done in tree.forgetOldAnswers(at: now, ended: done) }
    }
    core.upkeep.add(tasks)
  }

  /// Stores the last uses of sessions, and the reading of the clocks.
  private func storeUses() {
    let now = core.clock()
    core.changeTable(for: Array(core.table.withLock(\.followed))) { table, ids in
      table.use(followed: ids, at: now)
    }
    var together: [SessionUse] = []
    var apart = core.table.withLock(\.pendingUses)
    while let uses = core.table.withLock({ $0.popTouched(atMost: StoreCore.sessionsAtOnce) }) {
      together += uses.together
      apart += uses.apart
    }
    core.write(together, clockChanges(isWriting: !together.isEmpty))
    for use in apart { core.write([use]) }
  }

  /// Stores the reading of the clocks.
  func storeClock() { core.write([], clockChanges(isWriting: true)) }

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

  /// Removes idle trees from memory, if nobody follows them and they are completely stored.
  private func dismissIdleTrees() {
    let now = core.clock()
    var tasks: [UpkeepQueue.Task] = []
    core.visitTable { [core] in
      $0.idleTrees(inPart: $1, at: now, core.limits)
    } _: { tree in
      tasks.append { [core] done in
        tree.leaveMemory(
          { sessions in
            core.dismiss(sessions)
          },
          ended: done
        )
      }
    }
    core.upkeep.add(tasks)
  }

  /// Stores the last uses of sessions, and the reading of the clocks, before the process stops.
  func stop() {
    core.archive?.queue.recover()
    core.write(core.table.withLock(\.uses), clockChanges(isWriting: true))
  }
}
