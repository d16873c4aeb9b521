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
  ///   tree has no room for its rule; and the errors of ``demand(_:)``.
  mutating func session(
    _ id: SessionID,
    adopting prepared: PreparedRows? = nil
  ) throws(ServiceError) -> OpenSession {
    if let session = sessions[id] {
      session.lastUse = time
      return session
    }
    guard let sleeping = asleep.sessions[id] else { throw .sessionNotFound }
    // A long state is not even decoded where work must be small.
    try demand(bytes: sleeping.details.count)
    let state = sleeping.state
    let size = size(waking: sleeping.options.options, naming: state.nodeCount)
    try demand(size)
    if prepared == nil { publishCopy(before: size) }
    try admitWaking(id, sleeping, state)
    let session = try show(waking(id, sleeping, state), adopting: prepared)
    tree.commit()
    finishWaking(session, sleeping, state)
    return session
  }

  /// Checks that a session may wake.
  private mutating func admitWaking(
    _ id: SessionID,
    _ sleeping: SleepingSession,
    _ state: SleepingState
  ) throws(ServiceError) {
    try checkRoom(for: sleeping.options.options.expansion, state.filtered?.rule)
    try admit(bytes(waking: sleeping.options.options, naming: state.nodeCount), for: id)
  }

  /// Returns a sleeping session with the nodes that it names.
  ///
  /// - Throws: The errors of the meter.
  private func waking(
    _ id: SessionID,
    _ sleeping: SleepingSession,
    _ state: SleepingState
  ) throws(ServiceError) -> WakingSession {
    let options = sleeping.options.options
    try meter.count(sections.all.count)
    var waking = WakingSession(id: id, options: options)
    waking.toggled = try toggles(engineRule(options.expansion), state.expansion)
    if let (rule, expansion) = state.filtered {
      waking.filtered = (rule, try toggles(engineRule(rule), expansion))
    }
    waking.selected = try present(state.selected)
    return waking
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
    let rule = engineRule(waking.options.expansion)
    try meter.count(Self.stepsToWake * waking.nodeCount)
    let session = OpenSession(
      id: waking.id,
      view: tree.addView(rule: rule, toggling: waking.toggled),
      options: waking.options,
      revisions: RevisionLog(startingAt: tree.commitNumber, dataCommits)
    )
    begin()
    do throws(ServiceError) {
      var isShown = false
      if let prepared { isShown = try adopt(prepared, waking.options, in: session) }
      if !isShown, session.isLayered { try showLayers(of: session, nil) }
      if !isShown, let (rule, toggled) = waking.filtered {
        let rule = engineRule(rule)
        try counted { tree, count throws(Interruption) in
          try tree.setRule(rule, toggling: toggled, in: session.view, counting: count)
        }
      }
      tree.select(waking.selected, in: session.view)
      try updateAllRows(and: session)
    } catch {
      undo()
      // A copy is not used after that.
      if !copying.isCopy { tree.removeView(session.view) }
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
    forget(state)
    updateAllRowsUnstopped(and: session)
    tree.commit(isRemembered: false)
    session.replays = state.replays
    session.revisions = RevisionLog(
      goingOnAt: sleeping.revision(after: dataCommits.count),
      commit: tree.commitNumber,
      dataCommits
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
    forget(state)
    updateAllRowsUnstopped()
    tree.commit()
    asleep.remove(id)
    countReplays(-state.replays.weight)
    countUsage()
    return true
  }

  /// Returns the nodes that differ from a rule, if they exist and are no leaves.
  private func toggles(
    _ rule: ExpansionRule,
    _ expansion: SleepingState.Expansion
  ) throws(ServiceError) -> [NodeID] {
    let collapsed = try present(expansion.collapsedSections)
    var toggled = sectionToggles(under: rule, collapsed: Set(collapsed))
    guard let view = asleep.view else { return toggled }
    for number in expansion.toggled {
      try meter.count()
      guard let node = asleep.toggled.node(number), tree.isToggled(node, in: view) else { continue }
      toggled.append(node)
    }
    return toggled
  }

  /// Returns the nodes of numbers, if they exist.
  private func present(_ numbers: [Int]) throws(ServiceError) -> [NodeID] {
    guard let view = asleep.view else { return [] }
    var nodes: [NodeID] = []
    for number in numbers {
      try meter.count()
      guard let node = asleep.present.node(number), tree.isSelected(node, in: view) else {
        continue
      }
      nodes.append(node)
    }
    return nodes
  }

  /// The cost of releasing one number, in steps of the meter.
  private static var stepsToForget: Int { 4 }

  /// Releases the numbers of a session's nodes.
  private mutating func forget(_ state: SleepingState) {
    guard let view = asleep.view else { return }
    var present = state.selected
    for expansion in [state.expansion, state.filtered?.expansion ?? .init()] {
      for number in expansion.toggled {
        meter.pass(Self.stepsToForget)
        guard let node = asleep.toggled.release(number), tree.isToggled(node, in: view) else {
          continue
        }
        tree.collapse(node, in: view)
      }
      present += expansion.collapsedSections
    }
    for number in present {
      meter.pass(Self.stepsToForget)
      if let node = asleep.present.release(number) { tree.deselect([node], in: view) }
    }
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
    let size = size(waking: sleeping.options.options, naming: state.nodeCount)
    guard !size.isSmall(limits) else { return nil }
    try admitWaking(id, sleeping, state)
    return try waking(id, sleeping, state)
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
    let filtered = try waking(id, sleeping, state).filtered.map {
      (engineRule($0.rule), $0.toggled)
    }
    let rows = preparedRows(of: copy, since: watch, for: options, of: id, expanding: filtered)
    guard let rows else { return false }
    _ = try session(id, adopting: rows)
    return true
  }
}

/// A sleeping session, with the nodes that it names.
struct WakingSession {
  let id: SessionID
  let options: SessionOptions
  var toggled: [NodeID] = []
  /// The expansion under the filter, with the contract's rule, if there is a filter.
  var filtered: (rule: ExpansionRule, toggled: [NodeID])?
  var selected: [NodeID] = []

  /// The number of nodes that are named.
  var nodeCount: Int { toggled.count + (filtered?.toggled.count ?? 0) + selected.count }
}

extension SleepingSession {
  /// The decoded state.
  var state: SleepingState {
    do throws(ImageError) {
      return try SleepingState(details)
    } catch {
      preconditionFailure("what a session was put to sleep with cannot be read")
    }
  }
}
