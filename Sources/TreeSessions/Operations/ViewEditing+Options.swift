import TreeDomain
import TreeEngine

// The options of a session's view, and its state.
extension ViewEditing {
  /// Changes options of the view that a patch contains.
  ///
  /// - Throws: `overloaded`, the errors of the meter, and `content-too-large` as
  ///   ``TreeContent/checkUndo()``.
  func apply(_ patch: SessionPatch, in content: inout TreeContent) throws(ServiceError) {
    if let value = patch.expansion { try setUnfilteredRule(value, in: &content) }
    if let value = patch.order { try setOrder(value, in: &content) }
    if let value = patch.viewSort { try setViewSort(value, in: &content) }
    switch patch.filter {
    case .set(let filter): try setFilter(filter, in: &content)
    case .clear: try setFilter(nil, in: &content)
    case nil: break
    }
  }

  func setSelectionMode(
    _ mode: SelectionMode,
    in content: inout TreeContent
  ) throws(ServiceError) {
    session.options.selection = mode
    let fits =
      switch mode {
      case .none: content.tree.selectedCount(of: session.view) == 0
      case .single: content.tree.selectedCount(of: session.view) <= 1
      case .multiple: true
      }
    if !fits { try clearSelection(in: &content) }
  }

  /// Sets the session's own expansion rule, which another one may replace while a filter is set.
  func setUnfilteredRule(
    _ rule: ExpansionRule,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try content.meter.count(content.sections.all.count)
    let (rule, toggles) = content.unfilteredExpansion(by: rule, of: session)
    try content.counted { tree, count throws(Interruption) in
      try tree.setUnfilteredRule(rule, toggling: toggles, in: session.view, counting: count)
    }
  }

  func setOrder(
    _ order: RowOrder,
    in content: inout TreeContent
  ) throws(ServiceError) {
    guard order != session.options.order else { return }
    session.options.order = order
    let viewOrder = order == .breadthFirst ? ViewOrder.breadthFirst : .depthFirst
    try content.counted { tree, count throws(Interruption) in
      try tree.setOrder(viewOrder, in: session.view, counting: count)
    }
  }

  func setFilter(
    _ filter: Filter?,
    in content: inout TreeContent
  ) throws(ServiceError) {
    guard filter != session.options.filter else { return }
    session.options.filter = filter
    try content.counted { tree, count throws(Interruption) in
      try tree.setFilter(filter != nil, in: session.view, counting: count)
    }
  }

  /// Applies the filter and the orders to a new session.
  func showLayers(
    _ state: SessionState?,
    in content: inout TreeContent
  ) throws(ServiceError) {
    let options = session.options
    session.options.filter = nil
    session.options.order = .depthFirst
    session.options.viewSort = SortOrder([])
    try setFilter(options.filter, in: &content)
    if let state, options.filter != nil { try restoreFiltered(state, in: &content) }
    try setOrder(options.order, in: &content)
    try setViewSort(options.viewSort, in: &content)
  }

  /// Sets the order of siblings among a session's rows.
  ///
  /// - Throws: `overloaded` if the tree has too many orders, `content-too-large` as
  ///   ``TreeContent/checkUndo()``, and the errors of the meter.
  private func setViewSort(
    _ order: SortOrder,
    in content: inout TreeContent
  ) throws(ServiceError) {
    guard order != session.options.viewSort else { return }
    session.options.viewSort = order
    let ordering = order.isEmpty ? nil : try ordering(by: order, in: &content)
    try content.counted { tree, count throws(Interruption) in
      try tree.setOrdering(ordering, in: session.view, counting: count)
    }
  }

  /// Returns the ordering by some descriptors, which is made now if no session has it.
  private func ordering(
    by order: SortOrder,
    in content: inout TreeContent
  ) throws(ServiceError) -> OrderingID {
    if content.orderings.known(order) == nil { try content.orderings.checkRoom(content.limits) }
    let meter = content.meter
    return try content.orderings.knownOrAdded(order, to: &content.tree, meter)
  }

  /// Sets the expansion, the filter and the orders of a session, using parts that were made on a
  /// copy.
  ///
  /// - Returns: False if the rows cannot be used. The caller must then set the options. An order of
  ///   siblings may have been added.
  /// - Throws: `overloaded`, the errors of the meter, and `content-too-large` as
  ///   ``TreeContent/checkUndo()``.
  func adopt(
    _ prepared: PreparedRows,
    _ options: SessionOptions,
    in content: inout TreeContent
  ) throws(ServiceError) -> Bool {
    if let ordering = prepared.ordering {
      try content.orderings.checkRoom(content.limits)
      let (order, meter) = (options.viewSort, content.meter)
      try content.orderings.adopt(ordering, by: order, in: &content.tree, meter)
    }
    let setsFilter =
      options.filter != session.options.filter
      || (options.filter != nil) != content.tree.isFiltered(session.view)
    guard let layer = prepared.layer,
      content.tree.canAdopt(
        layer,
        settingFilter: setsFilter,
        expanding: prepared.filtered,
        unfiltered: prepared.unfiltered,
        in: session.view
      )
    else { return false }
    let expansion = session.options.expansion
    session.options = options
    // The engine's view has the present expansion. The option is the one at the opening.
    session.options.expansion = expansion
    try adopt(layer, of: prepared, settingFilter: setsFilter, options, in: &content)
    return true
  }

  private func adopt(
    _ layer: PreparedLayer<Fanout<64>>,
    of prepared: PreparedRows,
    settingFilter setsFilter: Bool,
    _ options: SessionOptions,
    in content: inout TreeContent
  ) throws(ServiceError) {
    let filter = options.filter ?? .all([])
    let ordering = content.orderings.known(options.viewSort)
    let (view, limit, meter) = (session.view, content.limits.maxChanges, content.meter)
    try meter.relay { () throws(Interruption) in
      try content.tree.adopt(
        layer,
        settingFilter: setsFilter,
        expanding: prepared.filtered,
        unfiltered: prepared.unfiltered,
        sortedBy: ordering,
        listing: limit,
        in: view
      ) { steps throws(Interruption) in
        try meter.step(steps)
      } matches: { tree, node throws(Interruption) in
        try meter.interrupting { () throws(ServiceError) in
          try tree.matches(filter, node, counting: meter)
        }
      }
    }
    try content.checkUndo()
  }
}
