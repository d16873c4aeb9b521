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
  /// These are idle sessions without followers, except those that may stay awake because they were
  /// used last.
  ///
  /// - Complexity: O(*s* log *s*) for *s* awake sessions.
  func idleSessions(unusedSince time: Int) -> [SessionID] {
    let idle = sessions.values.filter { $0.isIdle(since: time) }.sorted { $0.lastUse < $1.lastUse }
    return idle.dropLast(limits.maxIdleViewsPerTree).map(\.id)
  }

  /// Returns the sessions without followers that were last used before a time, least recently used
  /// first.
  ///
  /// - Complexity: O(*s* log *s*) for *s* awake sessions.
  func idleSessions(before time: Int) -> [SessionID] {
    sessions.values.filter { $0.isIdle(since: time - 1) }.sorted { $0.lastUse < $1.lastUse }
      .map(\.id)
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
    let names = asleep.view ?? tree.addView(rule: .none)
    asleep.view = names
    begin()
    for session in tired { asleep.add(sleeping(session, names), session.id) }
    updateAllRowsUnstopped()
    tree.commit()
    for session in tired {
      sessions[session.id] = nil
      session.stopCounting()
      tree.removeView(session.view)
    }
    removeUnusedOrderings()
    if tree.wantsPacking { packViews() }
    countUsage()
    return tired.map(\.id)
  }

  /// Returns the number of nodes that an awake session names; 0 for any other session.
  func namedCount(of id: SessionID) -> Int {
    guard let session = sessions[id] else { return 0 }
    return tree.toggledCount(in: session.view) + tree.selectedCount(of: session.view)
  }

  /// Frees memory of removed views, and renumbers the others.
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

  /// Returns the compact form of a session.
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
    // Rules other than `none` expand sections, so without toggles no section is collapsed.
    if toggled.isEmpty, rule != .none { return SleepingState.Expansion() }
    let toggledNodes = Set(toggled)
    let collapsed = sections.all.map(\.node).filter {
      toggledNodes.contains($0) != (rule == .none)
    }
    var expansion = SleepingState.Expansion()
    for node in toggled where !isSection(node) {
      meter.pass(Self.stepsToName)
      let isKnown = tree.isToggled(node, in: names)
      expansion.toggled.append(asleep.toggled.number(of: node, isKnown: isKnown))
      if !isKnown { tree.expand(node, in: names) }
    }
    for node in collapsed { expansion.collapsedSections.append(present(node, names)) }
    return expansion
  }

  /// The cost of naming one node, in steps of the meter.
  private static var stepsToName: Int { 8 }

  /// Returns the number of a node, which is valid while the node exists.
  private mutating func present(_ node: NodeID, _ names: EngineTree.ViewID) -> Int {
    meter.pass(Self.stepsToName)
    let isKnown = tree.isSelected(node, in: names)
    if !isKnown { tree.select([node], in: names) }
    return asleep.present.number(of: node, isKnown: isKnown)
  }
}

extension OpenSession {
  fileprivate func isIdle(since time: Int) -> Bool { followerGroups.isEmpty && lastUse <= time }
}
