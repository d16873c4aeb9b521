import Synchronization
import TreeDomain

// Closing a store while the process continues.
extension SessionStore {
  /// True if no change waits to be written; always true without storage.
  public var isWritten: Bool { core.archive?.queue.isEmpty ?? true }

  /// Interrupts all followers, so that their readers have to reconnect.
  ///
  /// No further followers are added. Must be called after the last request has arrived.
  public func close() {
    core.isClosed.store(true, ordering: .releasing)
    core.visitTable {
      $0.treesInMemory(inPart: $1)
    } _: {
      $0.interruptFollowers()
    }
  }

  /// The numbers of shared trees, sessions and followers.
  ///
  /// - Complexity: O(1).
  public var counts: (trees: Int, sessions: Int, followers: Int) {
    core.table.withLock { ($0.trees.count, $0.sessionCount, $0.followers) }
  }
}

extension SessionStore.Core {
  /// Visits items of the table, part by part, so that its lock is never held for long.
  ///
  /// - Parameters:
  ///   - find: Returns the items of a part of the table, under its lock.
  ///   - visit: Visits an item, without the lock.
  func visitTable<Item>(
    _ find: (inout SessionTable, _ part: Int) -> [Item],
    _ visit: (Item) -> Void
  ) {
    for part in 0..<SessionTable.partCount {
      for item in table.withLock({ find(&$0, part) }) { visit(item) }
    }
  }

  /// Makes a random id for a new session, which ``accepts`` allows.
  func makeSessionID(using generator: inout some RandomNumberGenerator) -> SessionID {
    while true {
      let id = SessionID(using: &generator)
      if accepts(id.bytes) { return id }
    }
  }

  /// Makes a random id for a new tree, which ``accepts`` allows.
  func makeTreeID(using generator: inout some RandomNumberGenerator) -> TreeID {
    while true {
      let id = TreeID(using: &generator)
      if accepts(id.bytes) { return id }
    }
  }
}

extension LockedTree {
  /// Interrupts all followers of the tree.
  fileprivate func interruptFollowers() {
    look { tree in
      for session in tree.sessions.values {
        for follower in session.followers { follower.interrupt() }
      }
    }
    failArrivals(.storeClosed)
  }
}

// Ending expired sessions.
extension SessionStore {
  /// Ends the sessions in memory that have expired.
  ///
  /// Maintenance calls it. Requests to an expired session are refused in any case.
  ///
  /// - Complexity: O(sessions in memory).
  func endIdleSessions() {
    let now = core.clock()
    core.visitTable {
      $0.expiredSessions(inPart: $1, at: now)
    } _: { id, tree in
      end(expired: id, on: tree)
    }
  }

  /// Ends an expired session, unless it was used meanwhile.
  func end(expired id: SessionID, on tree: LockedTree) {
    let now = core.clock()
    let isStillExpired = core.table.withLock { table in
      guard table.sessions[id]?.isExpired(at: now) == true else { return false }
      table.expire(id)
      return true
    }
    guard isStillExpired else { return }
    tree.runInBackground { manager throws(ServiceError) in
      _ = try tree.close(id, in: &manager, expired: true, at: now)
    }
  }
}

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
    var trees: [LockedTree] = []
    core.visitTable {
      $0.treesInMemory(inPart: $1)
    } _: { tree in
      if tree.isInMemory, tree.lastVisit < now { trees.append(tree) }
    }
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

// Group commit: changes that are written together.
extension SessionStore {
  /// Begins a group of changes that should be written in one commit.
  public func beginGroup() { core.archive?.queue.beginGroup() }

  /// Ends the group, so that its commit can begin.
  public func endGroup() { core.archive?.queue.endGroup() }
}
