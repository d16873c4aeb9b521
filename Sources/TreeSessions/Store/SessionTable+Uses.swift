import TreeDomain

// The last uses of sessions, and the part that storage knows.
extension SessionTable {
  /// The pending uses of sessions that are not in memory.
  var pendingUses: [SessionUse] {
    pending.filter { sessions[$0.key] == nil }.map { SessionUse(session: $0, time: $1) }
  }

  /// Returns uses that storage should know, which then count as stored.
  ///
  /// - Parameter limit: The maximum number of sessions to look at.
  /// - Returns: Uses that can be written together, and uses that must be written separately,
  ///   because they were lost before; nil if there are no more.
  mutating func popTouched(
    atMost limit: Int
  ) -> (together: [SessionUse], apart: [SessionUse])? {
    guard !touched.isEmpty else { return nil }
    var together: [SessionUse] = []
    var apart: [SessionUse] = []
    let ids = touched.suffix(limit)
    touched.removeLast(ids.count)
    for id in ids {
      let change = sessions.update(id) { entry in
        defer { entry.storedUse = entry.lastUse }
        entry.isTouched = false
        return (stored: entry.storedUse, last: entry.lastUse)
      }
      guard let change, change.stored != change.last else { continue }
      let use = SessionUse(session: id, time: change.last)
      if change.stored == Entry.unknownUse { apart.append(use) } else { together.append(use) }
    }
    return (together, apart)
  }

  /// Removes sessions that sleep or whose tree leaves memory.
  ///
  /// - Parameters:
  ///   - ids: The sessions.
  ///   - time: Sessions that were used later stay.
  /// - Returns: The uses of removed sessions that storage does not know.
  mutating func dismiss(_ ids: ArraySlice<SessionID>, unusedSince time: Int) -> [SessionUse] {
    ids.compactMap { id in
      guard let known = sessions[id], known.lastUse <= time, let entry = take(id) else {
        return nil
      }
      return entry.storedUse == entry.lastUse ? nil : SessionUse(session: id, time: entry.lastUse)
    }
  }

  /// All uses of sessions in memory, and all pending uses of others.
  var uses: [SessionUse] {
    pending.map { SessionUse(session: $0, time: $1) }
      + sessions.entries.map { SessionUse(session: $0.key, time: $0.value.lastUse) }
  }

  /// Records uses that are about to be written as pending, if their sessions are not in memory.
  ///
  /// Until they are written, nothing else contains these uses.
  mutating func recordSending(_ uses: ArraySlice<SessionUse>) {
    for use in uses where sessions[use.session] == nil && !isRemembered(use.session) {
      pending[use.session] = max(pending[use.session] ?? use.time, use.time)
    }
  }

  /// Removes pending uses that were written, or that storage will never accept.
  mutating func recordStored(_ uses: ArraySlice<SessionUse>) {
    for use in uses where pending[use.session].map({ $0 <= use.time }) == true {
      pending[use.session] = nil
    }
  }

  /// Records uses that were lost, so that they are written again.
  mutating func recordUnstored(_ uses: ArraySlice<SessionUse>) {
    recordSending(uses)
    for use in uses {
      let wasTouched = sessions.update(use.session) { entry in
        defer { entry.isTouched = true }
        entry.storedUse = Entry.unknownUse
        return entry.isTouched
      }
      if wasTouched == false { touched.append(use.session) }
    }
  }

  /// Returns the pending last use of a session that is not in memory; nil if there is none.
  func pendingUse(of id: SessionID) -> Int? { pending[id] }
}

// The table is visited in parts, so that nobody waits for its lock until all are visited.
extension SessionTable {
  /// The number of parts.
  static var partCount: Int { PartedTable<SessionID, Entry>.partCount }

  /// Returns the shared trees of a part, and the private trees of its sessions in memory.
  func heldTrees(inPart part: Int) -> [LockedTree] {
    Array(trees.part(part).values)
      + sessions.part(part).values.lazy.map(\.tree).filter(\.isPrivate)
  }

  /// Returns the sessions of a part that have expired, with their trees.
  func expiredSessions(inPart part: Int, at now: Int) -> [(id: SessionID, tree: LockedTree)] {
    sessions.part(part).filter { $0.value.isExpired(at: now) }.map { ($0, $1.tree) }
  }
}

/// The time of the last use of a session, for storage.
struct SessionUse: Sendable {
  let session: SessionID
  /// The time in seconds.
  let time: Int

  /// The change of storage.
  ///
  /// It does not change the idle timeout.
  var renewal: StorageChange {
    .renewSession(session, lastUse: time, idleTimeoutSeconds: nil)
  }
}
