import TreeDomain
import TreeEngine

// A session that sleeps is made anew when somebody asks for it, or ends.
extension TreeManager {
  /// The session of an id, which is used.
  ///
  /// - Throws: `session-not-found` when it has ended since it was looked up; `overloaded` when it
  ///   sleeps and there is no room for its rule; as ``demand(_:)`` for waking it.
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

  /// Makes a session that sleeps anew.
  ///
  /// - Throws: What the meter throws; the session sleeps on then.
  /// - Complexity: as ``open(_:_:)`` with as much to show.
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
      try settleAll(and: session)
    } catch {
      undo()
      tree.removeView(session.view)
      countUsage()
      throw error
    }
    tree.commit()
    begin()
    forget(state)
    settleUnstopped(and: session)
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

  /// About so many nodes are passed in the time in which a named node is shown again.
  private static var stepsToWake: Int { 16 }

  /// Shows what a session showed when it fell asleep.
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

  /// Ends a session that sleeps.
  ///
  /// - Returns: Whether there was one.
  mutating func endSleeping(_ id: SessionID) -> Bool {
    guard let sleeping = asleep.sessions[id] else { return false }
    let state = sleeping.state
    begin()
    forget(state)
    settleUnstopped()
    tree.commit()
    asleep.remove(id)
    countReplays(-state.replays.weight)
    countUsage()
    return true
  }

  /// What differs from a rule, of what is still there and no leaf.
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

  /// The nodes of numbers, as far as they are still there.
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

  /// Names the nodes of a session no more.
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
  /// What it shows, and the answers it keeps.
  var state: SleepingState {
    do throws(ImageError) {
      return try SleepingState(details)
    } catch {
      preconditionFailure("what a session was put to sleep with cannot be read")
    }
  }
}
