import TreeDomain
import TreeEngine

// The state of another session, restored in a new one.
extension ViewEditing {
  /// Applies the expansion and selection of a state to a new session.
  ///
  /// Skips nodes that do not exist.
  ///
  /// - Throws: The errors of the meter.
  func restore(
    _ state: SessionState,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try setExpansion(
      session.options.expansion.inEngine,
      toggling: state.toggledKeys,
      collapsed: state.collapsedSections,
      of: state,
      in: &content
    )
    try content.meter.count(2 * state.selectedKeys.count)
    let selected = state.selectedKeys.compactMap { content.tree.node(forKey: state[$0].span) }
    switch session.options.selection {
    case .none: return
    case .single: content.tree.select(Array(selected.prefix(1)), in: session.view)
    case .multiple: content.tree.select(selected, in: session.view)
    }
  }

  /// Applies the expansion under the filter to a new session.
  func restoreFiltered(
    _ state: SessionState,
    in content: inout TreeContent
  ) throws(ServiceError) {
    guard let rule = state.filterExpansion else { return }
    try setExpansion(
      rule.inEngine,
      toggling: state.filterToggledKeys,
      collapsed: state.filterCollapsedSections,
      of: state,
      in: &content
    )
  }

  private func setExpansion(
    _ rule: ExpansionRule,
    toggling keys: [ByteSlice],
    collapsed: [ByteSlice],
    of state: SessionState,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try content.meter.count(content.sections.all.count)
    var toggles = content.sectionToggles(
      under: rule,
      collapsed: Set(collapsed.compactMap { content.sections.node(named: state[$0]) })
    )
    for key in keys {
      try content.meter.count()
      guard let node = content.tree.node(forKey: state[key].span) else { continue }
      // A leaf is never expanded, so it needs no toggle.
      if content.tree.childState(of: node) != .leaf { toggles.append(node) }
    }
    try content.counted { tree, count throws(Interruption) in
      try tree.setRule(rule, toggling: toggles, in: session.view, counting: count)
    }
  }
}
