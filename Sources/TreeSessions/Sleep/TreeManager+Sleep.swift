import TreeDomain
import TreeEngine

// Sessions that nobody uses leave the engine, so that a write costs nothing for them.
extension TreeManager {
  /// A session that names more nodes stays awake while there is memory: to find them all takes
  /// long.
  static var maxNamed: Int { 10_000 }

  /// Whether there are more sessions than may stay awake while nobody uses them.
  var isCrowded: Bool { sessions.count > limits.maxIdleViewsPerTree }

  /// The sessions that are to sleep: those that nobody has used since some time and nobody follows,
  /// but for so many as may stay awake, which are those used last.
  ///
  /// - Complexity: O(*s* log *s*) for *s* sessions that are awake.
  func idleSessions(unusedSince time: Int) -> [SessionID] {
    let idle = sessions.values.filter { $0.isIdle(since: time) }.sorted { $0.lastUse < $1.lastUse }
    return idle.dropLast(limits.maxIdleViewsPerTree).map(\.id)
  }

  /// The sessions that nobody follows and nobody has used since before some time, those used last
  /// at the end.
  ///
  /// - Complexity: O(*s* log *s*) for *s* sessions that are awake.
  func idleSessions(before time: Int) -> [SessionID] {
    sessions.values.filter { $0.isIdle(since: time - 1) }.sorted { $0.lastUse < $1.lastUse }
      .map(\.id)
  }

  /// Has sessions sleep, if nobody has used them since some time.
  ///
  /// What a session shows is the same when it wakes. What changed before is not told any more.
  ///
  /// - Parameters:
  ///   - ids: The sessions.
  ///   - time: Those stay awake that somebody used later.
  ///   - most: Those stay awake that name more nodes.
  /// - Returns: Those that sleep now.
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
    let names = asleep.view ?? tree.addView(rule: .none)
    asleep.view = names
    begin()
    for session in tired { asleep.add(sleeping(session, names), session.id) }
    settleUnstopped()
    tree.commit()
    for session in tired {
      sessions[session.id] = nil
      session.stopCounting()
      tree.removeView(session.view)
    }
    if tree.wantsPacking { packViews() }
    countUsage()
    return tired.map(\.id)
  }

  /// Returns the number of nodes that a session names which is awake; 0 for none.
  func namedCount(of id: SessionID) -> Int {
    guard let session = sessions[id] else { return 0 }
    return tree.toggledCount(in: session.view) + tree.selectedCount(of: session.view)
  }

  /// Gives back what sessions leave that do not sleep alone.
  mutating func packViews() {
    copying.changes += 1
    let views = tree.packViews()
    func renamed(_ view: EngineTree.ViewID) -> EngineTree.ViewID {
      guard let new = views[view] else { preconditionFailure("a session without a view") }
      return new
    }
    for session in sessions.values { session.view = renamed(session.view) }
    asleep.view = asleep.view.map(renamed)
    sessions.giveBackRoom()
  }

  /// What is kept of a session.
  private mutating func sleeping(
    _ session: OpenSession,
    _ names: EngineTree.ViewID
  ) -> SleepingSession {
    let view = session.view
    var options = session.options
    let rule = tree.unfilteredRule(of: view)
    options.expansion = contractRule(rule)
    var state = SleepingState()
    state.expansion = expansion(rule, tree.unfilteredToggledNodes(in: view), names)
    for node in tree.selectedNodes(in: view) { state.selected.append(present(node, names)) }
    if session.options.filter != nil {
      let rule = tree.rule(of: view)
      state.filtered = (contractRule(rule), expansion(rule, tree.toggledNodes(in: view), names))
    }
    state.replays = session.replays
    return SleepingSession(
      options: asleep.shared(options),
      ahead: Int(Int64(bitPattern: session.revision.number &- dataCommits.count)),
      details: state.bytes
    )
  }

  private mutating func expansion(
    _ rule: ExpansionRule,
    _ toggled: [NodeID],
    _ names: EngineTree.ViewID
  ) -> SleepingState.Expansion {
    // Under the rules that expand sections, none is collapsed where nothing is toggled.
    if toggled.isEmpty, rule != .none { return SleepingState.Expansion() }
    let toggledNodes = Set(toggled)
    let collapsed = sections.all.map(\.node).filter {
      toggledNodes.contains($0) != (rule == .none)
    }
    var expansion = SleepingState.Expansion()
    for node in toggled where !isSection(node) {
      let isKnown = tree.isToggled(node, in: names)
      expansion.toggled.append(asleep.toggled.number(of: node, isKnown: isKnown))
      if !isKnown { tree.expand(node, in: names) }
    }
    for node in collapsed { expansion.collapsedSections.append(present(node, names)) }
    return expansion
  }

  /// The number of a node that is to be remembered as long as it is there.
  private mutating func present(_ node: NodeID, _ names: EngineTree.ViewID) -> Int {
    let isKnown = tree.isSelected(node, in: names)
    if !isKnown { tree.select([node], in: names) }
    return asleep.present.number(of: node, isKnown: isKnown)
  }
}

extension OpenSession {
  fileprivate func isIdle(since time: Int) -> Bool { followerGroups.isEmpty && lastUse <= time }
}
