import TreeDomain
import TreeEngine

// Restoring sleeping sessions when they are used or ended.
extension TreeManager {
  /// Returns a session for use.
  ///
  /// Wakes it if it sleeps.
  ///
  /// - Throws: `session-not-found` if it has ended meanwhile; `overloaded` if it sleeps and the
  ///   tree has no room for its rule; and the errors of ``demand(_:)``.
  mutating func session(_ id: SessionID) throws(ServiceError) -> OpenSession {
    if let session = sessions[id] {
      session.lastUse = time
      return session
    }
    guard let sleeping = asleep.sessions[id] else { throw .sessionNotFound }
    let state = sleeping.state
    try checkRoom(for: sleeping.options.options.expansion, state.filtered?.rule)
    try demand(size(waking: sleeping.options.options, naming: state.nodeCount))
    publishCopy(before: size(waking: sleeping.options.options, naming: state.nodeCount))
    try admit(bytes(waking: sleeping.options.options, naming: state.nodeCount), for: id)
    let session = try wake(id, sleeping, state)
    session.lastUse = time
    return session
  }

  /// Wakes a session.
  ///
  /// - Throws: The errors of the meter. The session sleeps on then.
  /// - Complexity: That of ``open(_:_:)`` with the same state.
  private mutating func wake(
    _ id: SessionID,
    _ sleeping: SleepingSession,
    _ state: SleepingState
  ) throws(ServiceError) -> OpenSession {
    let options = sleeping.options.options
    let rule = engineRule(options.expansion)
    try meter.count(sections.all.count + Self.stepsToWake * state.nodeCount)
    let session = OpenSession(
      id: id,
      view: tree.addView(rule: rule, toggling: toggles(rule, state.expansion)),
      options: options,
      revisions: RevisionLog(startingAt: tree.commitNumber, dataCommits)
    )
    session.replays = state.replays
    begin()
    do throws(ServiceError) {
      try show(state, in: session)
      try updateAllRows(and: session)
    } catch {
      undo()
      tree.removeView(session.view)
      countUsage()
      throw error
    }
    tree.commit()
    begin()
    forget(state)
    updateAllRowsUnstopped(and: session)
    tree.commit(isRemembered: false)
    session.revisions = RevisionLog(
      goingOnAt: sleeping.revision(after: dataCommits.count),
      commit: tree.commitNumber,
      dataCommits
    )
    asleep.remove(id)
    enter(session)
    countUsage()
    return session
  }

  /// The number of nodes that can be visited in the time that showing a named node takes.
  private static var stepsToWake: Int { 16 }

  /// Applies the filter, expansion and selection of a session that wakes.
  private mutating func show(
    _ state: SleepingState,
    in session: OpenSession
  ) throws(ServiceError) {
    if session.isLayered { try showLayers(of: session, nil) }
    if let filtered = state.filtered {
      let rule = engineRule(filtered.rule)
      let toggles = toggles(rule, filtered.expansion)
      try counted { tree, count throws(Interruption) in
        try tree.setRule(rule, toggling: toggles, in: session.view, counting: count)
      }
    }
    tree.select(present(state.selected), in: session.view)
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
  ) -> [NodeID] {
    let collapsed = present(expansion.collapsedSections)
    var toggled = sectionToggles(under: rule, collapsed: Set(collapsed))
    guard let view = asleep.view else { return toggled }
    for number in expansion.toggled {
      guard let node = asleep.toggled.node(number), tree.isToggled(node, in: view) else { continue }
      toggled.append(node)
    }
    return toggled
  }

  /// Returns the nodes of numbers, if they exist.
  private func present(_ numbers: [Int]) -> [NodeID] {
    guard let view = asleep.view else { return [] }
    var nodes: [NodeID] = []
    for number in numbers {
      guard let node = asleep.present.node(number), tree.isSelected(node, in: view) else {
        continue
      }
      nodes.append(node)
    }
    return nodes
  }

  /// Releases the numbers of a session's nodes.
  private mutating func forget(_ state: SleepingState) {
    guard let view = asleep.view else { return }
    var present = state.selected
    for expansion in [state.expansion, state.filtered?.expansion ?? .init()] {
      for number in expansion.toggled {
        guard let node = asleep.toggled.release(number), tree.isToggled(node, in: view) else {
          continue
        }
        tree.collapse(node, in: view)
      }
      present += expansion.collapsedSections
    }
    for number in present {
      if let node = asleep.present.release(number) { tree.deselect([node], in: view) }
    }
  }
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
