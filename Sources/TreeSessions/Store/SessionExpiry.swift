import Synchronization
import TreeDomain

/// The ending of expired sessions.
struct SessionExpiry {
  let core: StoreCore

  /// Ends the sessions in memory that have expired.
  ///
  /// Maintenance calls it. Requests to an expired session are refused in any case.
  ///
  /// - Complexity: O(sessions in memory).
  func endIdle() {
    let now = core.clock()
    core.visitTable {
      $0.expiredSessions(inPart: $1, at: now)
    } _: { id, tree in
      end(id, on: tree)
    }
  }

  /// Ends an expired session, unless it was used meanwhile.
  func end(_ id: SessionID, on tree: LockedTree) {
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

  /// Ends expired sessions that are not in memory.
  func endStored(_ archive: Archive) {
    let now = core.clock()
    let limit = 1_000
    var offset = 0
    while true {
      let found = try? archive.storage.sessions(expiredBefore: now, from: offset, limit: limit)
      guard let found else { return }
      // Sessions that could not be ended before, because their tree is damaged, do not block the
      // others.
      let isAnyNew = core.table.withLock { table in found.contains { !table.isRemembered($0.id) } }
      for session in found { end(session, ifUnusedAt: now) }
      guard !isAnyNew, found.count == limit else { return }
      offset += limit
    }
  }

  /// Ends a stored session that has certainly expired.
  ///
  /// If the session is in memory, its last use there is stored instead. If a later use is about to
  /// be stored, nothing is done.
  private func end(_ session: StoredSession, ifUnusedAt now: Int) {
    let id = session.id
    let (known, isOwed) = core.table.withLock { ($0.sessions[id], $0.pendingUse(of: id) != nil) }
    if let known {
      guard known.storedUse != known.lastUse else { return }
      core.write([SessionUse(session: id, time: known.lastUse)])
    } else if !isOwed, session.isOver(at: now) {
      end(session)
    }
  }

  /// Ends a stored session that is not in memory.
  func end(_ session: StoredSession) {
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
      table.tree(stored.number) { core.handle(of: stored, nil) }
    }
    let now = core.clock()
    let close: LockedTree.BackgroundTask = { manager throws(ServiceError) in
      _ = try tree.close(session.id, in: &manager, expired: true, at: now)
    }
    core.upkeep.add([{ done in tree.runInBackground(close, ended: done) }])
  }
}

extension StoredSession {
  /// Returns true if the session has expired even if its last use is not stored yet.
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
