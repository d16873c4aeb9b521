import TreeDomain
import TreeEngine

// The state of a session as a value that can be restored in another session.
extension TreeManager {
  /// Returns the state of a session, with nodes as keys.
  ///
  /// - Throws: `content-too-large`, and the errors of ``demand(_:)`` and the meter.
  /// - Complexity: O((toggled + selected) log *n*).
  func state(of session: OpenSession) throws(ServiceError) -> SessionState {
    let view = session.view
    try demand(WorkSize(nodes: tree.toggledCount(in: view) + tree.selectedCount(of: view)))
    var arena = AnswerArena()
    var state = SessionState(revision: session.revision, options: session.options)
    let rule = tree.unfilteredRule(of: session.view)
    let toggled = try counting { tree.unfilteredToggledNodes(in: session.view, while: $0) }
    state.options.expansion = contractRule(rule)
    state.toggledKeys = try keys(of: toggled, &arena)
    state.collapsedSections = collapsedSections(rule, toggled, &arena)
    if session.options.filter != nil {
      let rule = tree.rule(of: session.view)
      let toggled = try counting { tree.toggledNodes(in: session.view, while: $0) }
      state.filterExpansion = contractRule(rule)
      state.filterToggledKeys = try keys(of: toggled, &arena)
      state.filterCollapsedSections = collapsedSections(rule, toggled, &arena)
    }
    let selected = try counting { tree.selectedNodes(in: session.view, while: $0) }
    state.selectedKeys = try keys(of: selected, &arena)
    state.bytes = arena.bytes
    return state
  }

  /// Runs a search in the engine, and counts each node that it visits.
  ///
  /// - Throws: The errors of the meter.
  func counting<Found>(
    _ search: (() -> Bool) -> Found
  ) throws(ServiceError) -> Found {
    try meter.relay { search { meter.proceeds() } }
  }

  private func keys(
    of nodes: [NodeID],
    _ arena: inout AnswerArena
  ) throws(ServiceError) -> [ByteSlice] {
    var keys: [ByteSlice] = []
    for node in nodes where !isSection(node) {
      try meter.count()
      keys.append(arena.key(of: node, in: self))
      guard arena.bytes.count > limits.maxAnswerBytes else { continue }
      throw .tooLarge(
        limit: limits.maxAnswerBytes,
        "The keys of the state have more bytes than an answer may; clear the selection, or read "
          + "the rows instead."
      )
    }
    return keys
  }

  private func collapsedSections(
    _ rule: ExpansionRule,
    _ toggled: [NodeID],
    _ arena: inout AnswerArena
  ) -> [ByteSlice] {
    let toggled = Set(toggled)
    return sections.all.filter { toggled.contains($0.node) != (rule == .none) }
      .map { arena.append($0.name[...]) }
  }

  /// Applies the expansion and selection of a state to a new session.
  ///
  /// Skips nodes that do not exist.
  ///
  /// - Throws: The errors of the meter.
  mutating func restore(_ state: SessionState, in session: OpenSession) throws(ServiceError) {
    try setExpansion(
      engineRule(session.options.expansion),
      toggling: state.toggledKeys,
      collapsed: state.collapsedSections,
      of: state,
      in: session
    )
    try meter.count(2 * state.selectedKeys.count)
    let selected = state.selectedKeys.compactMap { tree.node(forKey: state[$0].span) }
    switch session.options.selection {
    case .none: return
    case .single: tree.select(Array(selected.prefix(1)), in: session.view)
    case .multiple: tree.select(selected, in: session.view)
    }
  }

  /// Applies the expansion under the filter to a new session.
  mutating func restoreFiltered(
    _ state: SessionState,
    in session: OpenSession
  ) throws(ServiceError) {
    guard let rule = state.filterExpansion else { return }
    try setExpansion(
      engineRule(rule),
      toggling: state.filterToggledKeys,
      collapsed: state.filterCollapsedSections,
      of: state,
      in: session
    )
  }

  private mutating func setExpansion(
    _ rule: ExpansionRule,
    toggling keys: [ByteSlice],
    collapsed: [ByteSlice],
    of state: SessionState,
    in session: OpenSession
  ) throws(ServiceError) {
    try meter.count(sections.all.count)
    var toggles = sectionToggles(
      under: rule,
      collapsed: Set(collapsed.compactMap { namedSections[Array(state[$0])] })
    )
    for key in keys {
      try meter.count()
      guard let node = tree.node(forKey: state[key].span) else { continue }
      // A leaf is never expanded, so it needs no toggle.
      if tree.childState(of: node) != .leaf { toggles.append(node) }
    }
    try counted { tree, count throws(Interruption) in
      try tree.setRule(rule, toggling: toggles, in: session.view, counting: count)
    }
  }
}
