import TreeDomain

// When sessions were used, and what storage knows of it.
extension SessionTable {
  /// What storage is to know of sessions that were used since it was last told.
  ///
  /// - Returns: What it can be told together, and what is to be told apart, as it was told before
  ///   and lost.
  mutating func takeTouched() -> (together: [SessionUse], apart: [SessionUse]) {
    var together: [SessionUse] = []
    var apart = owed.filter { sessions[$0.key] == nil }.map { SessionUse(session: $0, time: $1) }
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

  /// Forgets sessions that sleep or whose tree leaves memory, and gives what storage is to know of
  /// them.
  ///
  /// - Parameters:
  ///   - ids: The sessions.
  ///   - time: Those stay that somebody asked for later.
  /// - Returns: When those that go were last used.
  mutating func dismiss(_ ids: [SessionID], unusedSince time: Int = .max) -> [SessionUse] {
    defer { sessions.giveBackRoom() }
    return ids.compactMap { id in
      guard let known = sessions[id], known.lastUse <= time, let entry = take(id) else {
        return nil
      }
      return entry.storedUse == entry.lastUse ? nil : SessionUse(session: id, time: entry.lastUse)
    }
  }

  /// All uses of sessions in memory, and those that storage could not be told.
  var uses: [SessionUse] {
    owed.map { SessionUse(session: $0, time: $1) }
      + sessions.map { SessionUse(session: $0, time: $1.lastUse) }
  }

  /// Storage is about to be told of these: until it knows, nobody else does of those that are not
  /// in memory.
  mutating func noteTelling(_ uses: [SessionUse]) {
    for use in uses where sessions[use.session] == nil && !isRemembered(use.session) {
      owed[use.session] = max(owed[use.session] ?? use.time, use.time)
    }
  }

  /// Storage was told of these, or will never take them.
  mutating func noteTold(_ uses: [SessionUse]) {
    for use in uses where owed[use.session].map({ $0 <= use.time }) == true {
      owed[use.session] = nil
    }
  }

  /// Storage could not be told of these, and is to be told again.
  mutating func noteUntold(_ uses: [SessionUse]) {
    noteTelling(uses)
    for use in uses {
      guard let place = sessions.index(forKey: use.session) else { continue }
      sessions.values[place].storedUse = Entry.unknownUse
      guard !sessions.values[place].isTouched else { continue }
      sessions.values[place].isTouched = true
      touched.append(use.session)
    }
  }

  /// When a session that is not in memory was last used, if storage could not be told.
  func owedUse(of id: SessionID) -> Int? { owed[id] }
}
