import Synchronization
import TreeDomain

// Ending expired sessions.
extension SessionStore {
  /// Ends the sessions in memory that have expired.
  ///
  /// Maintenance calls it. Requests to an expired session are refused in any case.
  ///
  /// - Complexity: O(sessions in memory).
  func endIdleSessions() {
    let now = core.clock()
    let expired = core.table.withLock { table in
      table.sessions.filter { $0.value.isExpired(at: now) }.map { ($0.key, $0.value.tree) }
    }
    for (id, tree) in expired { end(expired: id, on: tree) }
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
