import TreeDomain
import TreeEngine

// Removing idle sessions from the engine, so that writes do not pay for them.
extension TreeManager {
  /// The maximum number of nodes that a sleeping session names, unless memory is short.
  ///
  /// To collect more nodes takes too long.
  static var maxNamed: Int { 10_000 }

  /// True if there are more awake sessions than may stay awake while idle.
  var isCrowded: Bool { sessions.count > limits.maxIdleViewsPerTree }

  /// Returns the sessions that should fall asleep, least recently used first.
  ///
  /// - Complexity: O(*s* log *s*) for *s* awake sessions.
  func idleSessions(since time: Int) -> [SessionID] {
    sessions.idle(since: time, but: limits.maxIdleViewsPerTree)
  }

  /// Puts sessions to sleep if they are idle.
  ///
  /// A session that wakes shows the same rows. Its earlier changes are forgotten.
  ///
  /// - Parameters:
  ///   - ids: The sessions.
  ///   - time: Sessions that were used later stay awake.
  ///   - most: Sessions that name more nodes stay awake.
  /// - Returns: The sessions that sleep now.
  /// - Complexity: O((*s* + *t*) log *n*) for *s* sessions that name *t* nodes.
  mutating func putToSleep(
    _ ids: [SessionID],
    unusedSince time: Int,
    naming most: Int = maxNamed
  ) -> [SessionID] {
    let tired = ids.compactMap { sessions[$0] }.filter { session in
      session.isIdle(since: time) && namedCount(of: session.id) <= most
    }
    guard !tired.isEmpty else { return [] }
    let names = content.sleepingView ?? content.tree.addView(rule: .none)
    content.sleepingView = names
    begin()
    for session in tired { asleep.add(session, to: names, in: &content) }
    updateAllRowsUnstopped()
    content.tree.commit()
    for session in tired {
      sessions.remove(session)
      content.tree.removeView(session.view)
    }
    content.orderings.removeUnused(from: &content.tree)
    if content.tree.wantsPacking { packViews() }
    countUsage()
    return tired.map(\.id)
  }

  /// Returns the number of nodes that an awake session names; 0 for any other session.
  func namedCount(of id: SessionID) -> Int {
    guard let session = sessions[id] else { return 0 }
    return content.tree.toggledCount(in: session.view)
      + content.tree.selectedCount(of: session.view)
  }

  /// Frees memory of removed views, and renumbers the others.
  mutating func packViews() {
    copying.changes += 1
    let views = content.tree.packViews()
    func renamed(_ view: EngineTree.ViewID) -> EngineTree.ViewID {
      guard let new = views[view] else { preconditionFailure("a session without a view") }
      return new
    }
    for session in sessions.values { session.view = renamed(session.view) }
    content.sleepingView = content.sleepingView.map(renamed)
    sessions.giveBackRoom()
  }

  // MARK: Room for sessions

  /// Checks that a session can add a number of bytes to the tree.
  ///
  /// Puts idle sessions to sleep if necessary. A copy puts none to sleep, because it has no
  /// followers and its sessions remain in the tree.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes. A session may take up to a quarter of all memory.
  ///   - session: The session, which stays awake; `nil` for a new one.
  /// - Precondition: No transaction is running.
  /// - Throws: `overloaded` if the service, the session, the sessions of the tree, or the caller
  ///   would exceed its limit; and the errors of ``demand(_:)``.
  mutating func admit(_ bytes: Int, for session: SessionID?) throws(ServiceError) {
    guard content.isLimited else { return }
    guard bytes <= limits.maxMemoryBytes / MemoryShare.session else {
      throw .outOfShare(limits, MemoryShare.session, of: "session")
    }
    let payer = session.flatMap { sessions[$0]?.charge?.payer } ?? content.meter.payer
    if !content.hasRoom(for: bytes, of: payer) {
      try content.meter.demandTime()
      putToSleep(but: session, of: payer) { $0.content.hasRoom(for: bytes, of: payer) }
      guard content.hasRoom(for: bytes, of: payer) else { throw .outOfCallerShare(limits) }
    }
    if content.hasRoom(forSessions: bytes) { return }
    try content.meter.demandTime()
    putToSleep(but: session) { $0.content.hasRoom(forSessions: bytes) }
    guard content.account.usage.memory.hasRoom(for: content.uncountedBytes + bytes) else {
      throw .outOfMemory(limits)
    }
    guard content.hasRoom(forSessions: bytes) else {
      throw .outOfShare(limits, MemoryShare.sessionsOfTree, of: "sessions of one tree")
    }
  }

  /// Checks that there is memory for the operations of a batch.
  ///
  /// A batch of removals is always allowed.
  ///
  /// - Precondition: No transaction is running.
  /// - Throws: `overloaded`.
  mutating func admit(_ batch: Batch, for session: SessionID?) throws(ServiceError) {
    guard content.isLimited, !batch.freesMemory else { return }
    try admit(batch.operations.count * EngineTree.bytesPerToggle, for: session)
  }

  /// Puts idle sessions to sleep, least recently used first, until there is room.
  ///
  /// Sessions that were used in the current second stay awake.
  private mutating func putToSleep(
    but session: SessionID?,
    of payer: String? = nil,
    until hasRoom: (borrowing TreeManager) -> Bool
  ) {
    guard !copying.isCopy else { return }
    while let id = sessions.popIdle(before: time, of: payer, but: session) {
      let asleep = putToSleep([id], unusedSince: time - 1, naming: .max)
      guard !asleep.isEmpty else { return }
      journal?.recordAsleep(asleep.count)
      countUsage()
      if hasRoom(self) { return }
    }
  }
}
