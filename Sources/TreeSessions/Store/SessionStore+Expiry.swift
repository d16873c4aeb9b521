import Synchronization
import TreeDomain

// Sessions end that nobody uses.
extension SessionStore {
  /// Ends sessions that nobody has used for as long as they asked for.
  ///
  /// To be called now and then; a session that expired is refused before that, too.
  ///
  /// - Complexity: O(sessions).
  func endIdleSessions() {
    let now = core.clock()
    let expired = core.table.withLock { table in
      table.sessions.filter { $0.value.isExpired(at: now) }.map { ($0.key, $0.value.tree) }
    }
    for (id, tree) in expired { end(expired: id, on: tree) }
  }

  /// Ends a session that has expired, unless it is used meanwhile.
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
