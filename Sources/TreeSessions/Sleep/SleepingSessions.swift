import TreeDomain
import TreeEngine

/// The sleeping sessions of a tree.
///
/// The engine keeps track of the nodes that they name. One extra view
/// (``TreeContent/sleepingView``) has all of these nodes toggled or selected. The engine updates it
/// like any view when nodes are removed, become leaves, or a transaction is rolled back. So a write
/// costs as much as for one more session, however many sleep.
struct SleepingSessions {
  private(set) var sessions: [SessionID: SleepingSession] = [:]
  /// The numbers of toggled nodes.
  private(set) var toggled = NodeNumbers()
  /// The numbers of selected nodes and collapsed sections, which are valid while the node exists.
  private(set) var present = NodeNumbers()
  /// Options of sessions that fell asleep recently, which further sessions may share.
  private var recentOptions: [SleepingSession.Options] = []

  private static var maxRecentOptions: Int { 8 }

  /// Returns shared options that are equal to some options.
  mutating func shared(_ options: SessionOptions) -> SleepingSession.Options {
    if let known = recentOptions.first(where: { $0.options == options }) { return known }
    if recentOptions.count == Self.maxRecentOptions { recentOptions.removeFirst() }
    recentOptions.append(SleepingSession.Options(options, countedIn: optionBytes))
    return recentOptions[recentOptions.count - 1]
  }

  /// The memory that the sessions refer to in bytes.
  private var detailBytes = 0
  /// The memory of shared options in bytes.
  private let optionBytes = SessionBytes()

  /// The memory of the sessions, and of the numbers of nodes, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    let entry = MemoryLayout<SessionID>.stride + MemoryLayout<SleepingSession>.stride
    return sessions.capacity * 4 / 3 * entry + detailBytes + optionBytes.count + toggled.byteCount
      + present.byteCount
  }

  mutating func add(_ session: SleepingSession, _ id: SessionID) {
    detailBytes += session.byteCount
    if let former = sessions.updateValue(session, forKey: id) { detailBytes -= former.byteCount }
  }

  mutating func remove(_ id: SessionID) {
    detailBytes -= sessions.removeValue(forKey: id)?.byteCount ?? 0
  }

  /// Sets the nodes that sleeping sessions name, in the order of their numbers.
  mutating func restore(toggled: NodeNumbers, present: NodeNumbers) {
    (self.toggled, self.present) = (toggled, present)
  }

  /// Sets the revision of all sessions to that of the tree.
  mutating func goOnAtTreeRevision() {
    sessions = sessions.mapValues { session in
      SleepingSession(options: session.options, ahead: 0, details: session.details)
    }
  }

  /// Replaces node ids after renumbering.
  mutating func renumber(_ new: NodeRenumbering) {
    toggled.renumber(new)
    present.renumber(new)
  }

  // MARK: Restoring from an image

  /// Restores a session.
  ///
  /// - Returns: False if its parts contradict each other.
  mutating func restore(
    _ session: SleepingSession,
    _ id: SessionID,
    after commits: UInt64
  ) throws(ImageError) -> Bool {
    let state = try SleepingState(session.details)
    let revision = Int64(bitPattern: session.revision(after: commits).number)
    let isFiltered = session.options.options.filter != nil
    guard sessions[id] == nil, revision >= 0, isFiltered == (state.filtered != nil) else {
      return false
    }
    for expansion in [state.expansion, state.filtered?.expansion ?? .init()] {
      for number in expansion.toggled { try toggled.retain(number) }
      for number in expansion.collapsedSections { try present.retain(number) }
    }
    for number in state.selected { try present.retain(number) }
    let options = shared(session.options.options)
    add(SleepingSession(options: options, ahead: session.ahead, details: session.details), id)
    return true
  }

  mutating func releaseUnused() {
    toggled.releaseUnused()
    present.releaseUnused()
  }

  // MARK: Falling asleep

  /// Adds an awake session, and the nodes that it names to the extra view.
  mutating func add(
    _ session: OpenSession,
    to names: EngineTree.ViewID,
    in content: inout TreeContent
  ) {
    let view = session.view
    var options = session.options
    let rule = content.tree.unfilteredRule(of: view)
    options.expansion = rule.inContract
    var state = SleepingState()
    state.expansion = expansion(
      rule,
      content.tree.unfilteredToggledNodes(in: view),
      names,
      &content
    )
    for node in content.tree.selectedNodes(in: view) {
      state.selected.append(number(of: node, names, &content))
    }
    if session.options.filter != nil {
      let rule = content.tree.rule(of: view)
      state.filtered = (
        rule.inContract, expansion(rule, content.tree.toggledNodes(in: view), names, &content)
      )
    }
    state.replays = session.replays
    let sleeping = SleepingSession(
      options: shared(options),
      ahead: Int(Int64(bitPattern: session.revision.number &- content.dataCommits.count)),
      details: state.bytes
    )
    add(sleeping, session.id)
  }

  private mutating func expansion(
    _ rule: ExpansionRule,
    _ toggledNodes: [NodeID],
    _ names: EngineTree.ViewID,
    _ content: inout TreeContent
  ) -> SleepingState.Expansion {
    // Rules other than `none` expand sections, so without toggles no section is collapsed.
    if toggledNodes.isEmpty, rule != .none { return SleepingState.Expansion() }
    let toggledSet = Set(toggledNodes)
    let collapsed = content.sections.all.map(\.node).filter {
      toggledSet.contains($0) != (rule == .none)
    }
    var expansion = SleepingState.Expansion()
    for node in toggledNodes where !content.tree.isSection(node) {
      content.meter.pass(Self.stepsToName)
      let isKnown = content.tree.isToggled(node, in: names)
      expansion.toggled.append(toggled.number(of: node, isKnown: isKnown))
      if !isKnown { content.tree.expand(node, in: names) }
    }
    for node in collapsed { expansion.collapsedSections.append(number(of: node, names, &content)) }
    return expansion
  }

  /// The cost of naming one node, in steps of the meter.
  private static var stepsToName: Int { 8 }

  /// Returns the number of a node, which is valid while the node exists.
  private mutating func number(
    of node: NodeID,
    _ names: EngineTree.ViewID,
    _ content: inout TreeContent
  ) -> Int {
    content.meter.pass(Self.stepsToName)
    let isKnown = content.tree.isSelected(node, in: names)
    if !isKnown { content.tree.select([node], in: names) }
    return present.number(of: node, isKnown: isKnown)
  }

  // MARK: Waking

  /// Returns a sleeping session with the nodes that it names.
  ///
  /// - Throws: The errors of the meter.
  func waking(
    _ id: SessionID,
    _ sleeping: SleepingSession,
    _ state: SleepingState,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> WakingSession {
    let options = sleeping.options.options
    try content.meter.count(content.sections.all.count)
    var waking = WakingSession(id: id, options: options)
    waking.toggled = try toggles(options.expansion.inEngine, state.expansion, content)
    if let (rule, expansion) = state.filtered {
      waking.filtered = (rule, try toggles(rule.inEngine, expansion, content))
    }
    waking.selected = try nodes(of: state.selected, content)
    return waking
  }

  /// Returns the nodes that differ from a rule, if they exist and are no leaves.
  private func toggles(
    _ rule: ExpansionRule,
    _ expansion: SleepingState.Expansion,
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> [NodeID] {
    let collapsed = try nodes(of: expansion.collapsedSections, content)
    var toggles = content.sectionToggles(under: rule, collapsed: Set(collapsed))
    guard let view = content.sleepingView else { return toggles }
    for number in expansion.toggled {
      try content.meter.count()
      guard let node = toggled.node(number), content.tree.isToggled(node, in: view) else {
        continue
      }
      toggles.append(node)
    }
    return toggles
  }

  /// Returns the nodes of numbers, if they exist.
  private func nodes(
    of numbers: [Int],
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> [NodeID] {
    guard let view = content.sleepingView else { return [] }
    var nodes: [NodeID] = []
    for number in numbers {
      try content.meter.count()
      guard let node = present.node(number), content.tree.isSelected(node, in: view) else {
        continue
      }
      nodes.append(node)
    }
    return nodes
  }

  /// The cost of releasing one number, in steps of the meter.
  private static var stepsToForget: Int { 4 }

  /// Releases the numbers of a session's nodes.
  mutating func forget(_ state: SleepingState, in content: inout TreeContent) {
    guard let view = content.sleepingView else { return }
    var selected = state.selected
    for expansion in [state.expansion, state.filtered?.expansion ?? .init()] {
      for number in expansion.toggled {
        content.meter.pass(Self.stepsToForget)
        guard let node = toggled.release(number), content.tree.isToggled(node, in: view) else {
          continue
        }
        content.tree.collapse(node, in: view)
      }
      selected += expansion.collapsedSections
    }
    for number in selected {
      content.meter.pass(Self.stepsToForget)
      if let node = present.release(number) { content.tree.deselect([node], in: view) }
    }
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
