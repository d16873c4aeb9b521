import TreeDomain
import TreeEngine

// The state of a session as a value that can be restored in another session.
extension SessionReading {
  /// Returns the state of a session, with nodes as keys.
  ///
  /// - Throws: `content-too-large`, and the errors of ``TreeContent/demand(_:)`` and the meter.
  /// - Complexity: O((toggled + selected) log *n*).
  func state(in content: borrowing TreeContent) throws(ServiceError) -> SessionState {
    let view = session.view
    try content.demand(
      WorkSize(nodes: content.tree.toggledCount(in: view) + content.tree.selectedCount(of: view))
    )
    var arena = AnswerArena()
    var state = SessionState(revision: session.revision, options: session.options)
    let rule = content.tree.unfilteredRule(of: session.view)
    let toggled = try content.counting {
      content.tree.unfilteredToggledNodes(in: session.view, while: $0)
    }
    state.options.expansion = rule.inContract
    state.toggledKeys = try keys(of: toggled, &arena, content)
    state.collapsedSections = collapsedSections(rule, toggled, &arena, content)
    if session.options.filter != nil {
      let rule = content.tree.rule(of: session.view)
      let toggled = try content.counting { content.tree.toggledNodes(in: session.view, while: $0) }
      state.filterExpansion = rule.inContract
      state.filterToggledKeys = try keys(of: toggled, &arena, content)
      state.filterCollapsedSections = collapsedSections(rule, toggled, &arena, content)
    }
    let selected = try content.counting { content.tree.selectedNodes(in: session.view, while: $0) }
    state.selectedKeys = try keys(of: selected, &arena, content)
    state.bytes = arena.bytes
    return state
  }

  private func keys(
    of nodes: [NodeID],
    _ arena: inout AnswerArena,
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> [ByteSlice] {
    var keys: [ByteSlice] = []
    for node in nodes where !content.tree.isSection(node) {
      try content.meter.count()
      keys.append(arena.key(of: node, in: content))
      guard arena.bytes.count > content.limits.maxAnswerBytes else { continue }
      throw .tooLarge(
        limit: content.limits.maxAnswerBytes,
        "The keys of the state have more bytes than an answer may; clear the selection, or read "
          + "the rows instead."
      )
    }
    return keys
  }

  private func collapsedSections(
    _ rule: ExpansionRule,
    _ toggled: [NodeID],
    _ arena: inout AnswerArena,
    _ content: borrowing TreeContent
  ) -> [ByteSlice] {
    let toggled = Set(toggled)
    return content.sections.all.filter { toggled.contains($0.node) != (rule == .none) }
      .map { arena.append($0.name[...]) }
  }
}
