import TreeDomain

// The last uses of sessions, and the part that storage knows.
extension SessionTable {
  /// Removes and returns the uses that storage should know.
  ///
  /// - Returns: Uses that can be written together, and uses that must be written separately,
  ///   because they were lost before.
  mutating func popTouched() -> (together: [SessionUse], apart: [SessionUse]) {
    var together: [SessionUse] = []
    var apart = pending.filter { sessions[$0.key] == nil }.map { SessionUse(session: $0, time: $1) }
    for id in touched {
      guard let place = sessions.index(forKey: id) else { continue }
      sessions.values[place].isTouched = false
      let entry = sessions.values[place]
      guard entry.storedUse != entry.lastUse else { continue }
      sessions.values[place].storedUse = entry.lastUse
      let use = SessionUse(session: id, time: entry.lastUse)
      if entry.storedUse == Entry.unknownUse { apart.append(use) } else { together.append(use) }
    }
    touched = []
    return (together, apart)
  }

  /// Removes sessions that sleep or whose tree leaves memory.
  ///
  /// - Parameters:
  ///   - ids: The sessions.
  ///   - time: Sessions that were used later stay.
  /// - Returns: The uses of removed sessions that storage does not know.
  mutating func dismiss(_ ids: [SessionID], unusedSince time: Int = .max) -> [SessionUse] {
    defer { sessions.giveBackRoom() }
    return ids.compactMap { id in
      guard let known = sessions[id], known.lastUse <= time, let entry = take(id) else {
        return nil
      }
      return entry.storedUse == entry.lastUse ? nil : SessionUse(session: id, time: entry.lastUse)
    }
  }

  /// All uses of sessions in memory, and all pending uses of others.
  var uses: [SessionUse] {
    pending.map { SessionUse(session: $0, time: $1) }
      + sessions.map { SessionUse(session: $0, time: $1.lastUse) }
  }

  /// Records uses that are about to be written as pending, if their sessions are not in memory.
  ///
  /// Until they are written, nothing else contains these uses.
  mutating func recordSending(_ uses: [SessionUse]) {
    for use in uses where sessions[use.session] == nil && !isRemembered(use.session) {
      pending[use.session] = max(pending[use.session] ?? use.time, use.time)
    }
  }

  /// Removes pending uses that were written, or that storage will never accept.
  mutating func recordStored(_ uses: [SessionUse]) {
    for use in uses where pending[use.session].map({ $0 <= use.time }) == true {
      pending[use.session] = nil
    }
  }

  /// Records uses that were lost, so that they are written again.
  mutating func recordUnstored(_ uses: [SessionUse]) {
    recordSending(uses)
    for use in uses {
      guard let place = sessions.index(forKey: use.session) else { continue }
      sessions.values[place].storedUse = Entry.unknownUse
      guard !sessions.values[place].isTouched else { continue }
      sessions.values[place].isTouched = true
      touched.append(use.session)
    }
  }

  /// Returns the pending last use of a session that is not in memory; nil if there is none.
  func pendingUse(of id: SessionID) -> Int? { pending[id] }
}
