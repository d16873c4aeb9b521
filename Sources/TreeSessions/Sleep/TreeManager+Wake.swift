import TreeDomain
import TreeEngine

// Restoring sleeping sessions when they are used or ended.
extension TreeManager {
  /// Returns a session for use.
  ///
  /// Wakes it if it sleeps.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - prepared: The rows of its filter or order, if they were made on a copy of the tree.
  /// - Returns: The session, which is awake.
  /// - Throws: `session-not-found` if it has ended meanwhile; `overloaded` if it sleeps and the
  ///   tree has no room for its rule; and the errors of ``TreeContent/demand(_:)``.
  mutating func session(
    _ id: SessionID,
    adopting prepared: PreparedRows? = nil
  ) throws(ServiceError) -> OpenSession {
    if let session = sessions[id] {
      session.lastUse = time
      return session
    }
    guard let sleeping = asleep.sessions[id] else { throw .sessionNotFound }
    try admitOtherKind()
    // A long state is not even decoded where work must be small.
    try content.demand(bytes: sleeping.details.count)
    let state = sleeping.state
    let size = WorkSize(
      waking: sleeping.options.options,
      naming: state.nodeCount,
      in: content
    )
    try content.demand(size)
    if prepared == nil { publishCopy(before: size) }
    try admitWaking(id, sleeping, state)
    let session = try show(asleep.waking(id, sleeping, state, in: content), adopting: prepared)
    content.tree.commit()
    finishWaking(session, sleeping, state)
    return session
  }

  /// Checks that a session may wake.
  private mutating func admitWaking(
    _ id: SessionID,
    _ sleeping: SleepingSession,
    _ state: SleepingState
  ) throws(ServiceError) {
    try content.checkRoom(for: sleeping.options.options.expansion, state.filtered?.rule)
    try admit(content.bytes(waking: sleeping.options.options, naming: state.nodeCount), for: id)
  }

  /// Makes the rows of a session that wakes, in a transaction that is left running.
  ///
  /// - Returns: The session, which is not in ``sessions`` yet.
  /// - Throws: The errors of the meter. Nothing has changed then.
  /// - Complexity: That of ``open(_:_:)`` with the same state.
  private mutating func show(
    _ waking: WakingSession,
    adopting prepared: PreparedRows? = nil
  ) throws(ServiceError) -> OpenSession {
    let rule = waking.options.expansion.inEngine
    try content.meter.count(Self.stepsToWake * waking.nodeCount)
    let session = OpenSession(
      id: waking.id,
      view: content.tree.addView(rule: rule, toggling: waking.toggled),
      options: waking.options,
      revisions: RevisionLog(startingAt: content.tree.commitNumber, content.dataCommits)
    )
    begin()
    do throws(ServiceError) {
      var isShown = false
      let editing = ViewEditing(session: session)
      if let prepared { isShown = try editing.adopt(prepared, waking.options, in: &content) }
      if !isShown, session.isLayered { try editing.showLayers(nil, in: &content) }
      if !isShown, let (rule, toggled) = waking.filtered {
        let rule = rule.inEngine
        try content.counted { tree, count throws(Interruption) in
          try tree.setRule(rule, toggling: toggled, in: session.view, counting: count)
        }
      }
      content.tree.select(waking.selected, in: session.view)
      try updateAllRows(and: session)
    } catch {
      undo()
      // A copy is not used after that.
      if !copying.isCopy { content.tree.removeView(session.view) }
      countUsage()
      throw error
    }
    return session
  }

  /// The cost of showing one named node, in steps of the meter.
  private static var stepsToWake: Int { 16 }

  /// Ends the sleep of a session whose rows were made.
  private mutating func finishWaking(
    _ session: OpenSession,
    _ sleeping: SleepingSession,
    _ state: SleepingState
  ) {
    begin()
    asleep.forget(state, in: &content)
    updateAllRowsUnstopped(and: session)
    content.tree.commit(isRemembered: false)
    session.replays = state.replays
    session.revisions = RevisionLog(
      goingOnAt: sleeping.revision(after: content.dataCommits.count),
      commit: content.tree.commitNumber,
      content.dataCommits
    )
    asleep.remove(session.id)
    if sessions[session.id] == nil { enter(session) }
    session.lastUse = time
    countUsage()
  }

  /// Ends a sleeping session.
  ///
  /// - Returns: True if it existed.
  mutating func endSleeping(_ id: SessionID) -> Bool {
    guard let sleeping = asleep.sessions[id] else { return false }
    let state = sleeping.state
    begin()
    asleep.forget(state, in: &content)
    updateAllRowsUnstopped()
    content.tree.commit()
    asleep.remove(id)
    content.countReplays(-state.replays.weight)
    countUsage()
    return true
  }
}

// Waking a session on a copy of the tree, while others use the tree.
extension TreeManager {
  /// Returns a sleeping session whose rows take long to make.
  ///
  /// - Returns: The session; `nil` if it does not sleep, has neither a filter nor an order of its
  ///   own, or has few rows to make.
  /// - Throws: `overloaded`, and the errors of the meter.
  mutating func sessionToWakeOnCopy(_ id: SessionID) throws(ServiceError) -> WakingSession? {
    guard !hasEnded, sessions[id] == nil, let sleeping = asleep.sessions[id],
      sleeping.options.options.isLayered
    else { return nil }
    let state = sleeping.state
    let size = WorkSize(
      waking: sleeping.options.options,
      naming: state.nodeCount,
      in: content
    )
    guard !size.isSmall(content.limits) else { return nil }
    try admitWaking(id, sleeping, state)
    return try asleep.waking(id, sleeping, state, in: content)
  }

  /// Wakes a session on this copy of the tree.
  ///
  /// - Throws: The errors of the meter.
  mutating func wakeOnCopy(_ waking: WakingSession) throws(ServiceError) {
    commit(opening: try show(waking))
  }

  /// Wakes a session in the tree, after it was woken on a copy.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - copy: The copy. It gets the tree's former content if the tree has not changed meanwhile.
  ///   - changes: The tree's count of changes when the copy was made.
  ///   - watch: The watch that began when the copy was made.
  /// - Returns: False if the tree has changed too much.
  /// - Throws: The errors of ``session(_:adopting:)``.
  mutating func wake(
    _ id: SessionID,
    by copy: inout TreeManager,
    after changes: Int,
    since watch: ChangeWatch
  ) throws(ServiceError) -> Bool {
    guard copy.copying.original === exports, !hasEnded, sessions[id] == nil,
      let sleeping = asleep.sessions[id]
    else { return true }
    if copy.isCopy(of: self, after: changes) {
      let state = sleeping.state
      install(&copy)
      if let session = sessions[id] { finishWaking(session, sleeping, state) }
      return true
    }
    let (options, state) = (sleeping.options.options, sleeping.state)
    let filtered = try asleep.waking(id, sleeping, state, in: content).filtered.map {
      ($0.rule.inEngine, $0.toggled)
    }
    let rows = PreparedRows(
      of: copy,
      for: self,
      since: watch,
      options,
      of: id,
      expanding: filtered
    )
    guard let rows else { return false }
    _ = try session(id, adopting: rows)
    return true
  }
}
