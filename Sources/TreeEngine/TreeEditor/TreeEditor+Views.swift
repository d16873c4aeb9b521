// Changes of a whole view: its rule, its filter and its order.
extension TreeEditor {
  /// Sets a new filter on a view, or removes it.
  mutating func setFilter(
    _ isOn: Bool,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try setFilter(isOn, in: id, listing: .max, counting: count)
  }

  /// Sets a new filter on a view, or removes it.
  ///
  /// - Parameters:
  ///   - isOn: True for a new filter, false to remove it.
  ///   - id: The view.
  ///   - limit: The maximum number of former rows to list below the top level. Of more rows, only
  ///     those at the top level are listed.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws.
  mutating func setFilter(
    _ isOn: Bool,
    in id: ViewID,
    listing limit: Int,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    let old = base.watchers[slot].view
    let aside = base.watchers[slot].aside
    guard isOn || aside != nil else { return }
    try replaceRows(at: slot, listing: limit, count)
    record(.views(old, aside: aside, view: slot))
    if base.watchers[slot].viewBefore == nil { base.watchers[slot].viewBefore = old }
    if let aside {
      base.indexes.release(for: old.rule)
      base.watchers[slot].view = isOn ? View(rule: .all, of: base.forest, base.indexes) : aside
      base.watchers[slot].aside = isOn ? aside : nil
    } else {
      base.watchers[slot].aside = old
      base.watchers[slot].view = View(rule: .all, of: base.forest, base.indexes)
    }
    base.watchers[slot].layering?.isFiltered = isOn
    base.watchers[slot].layering?.replaced?.concernsFilter = true
  }

  /// Sets the order of a view's rows.
  mutating func setOrder(
    _ order: ViewOrder,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    guard order != base.watchers[slot].layering?.order ?? .depthFirst else { return }
    try replaceRows(at: slot, listing: .max, count)
    base.watchers[slot].layering?.order = order
    base.watchers[slot].layering?.delta?.isReordering = true
  }

  /// Records the deletion of all rows; ``updateRows(_:counting:matches:)`` inserts the new ones.
  mutating func replaceRows(
    at slot: Int,
    listing limit: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    precondition(transaction != nil, "mutations belong in a transaction")
    transaction?.reach.extend(toViewAt: slot)
    if base.watchers[slot].layering?.replaced == nil {
      let rowCount = base.shownRowCount(slot)
      // Rows at the top level are listed in any case.
      let isListed = Int(rowCount) - Int(base.forest[.forestRoot].childCount) <= max(1, limit)
      let rows = isListed ? try rowsBeforeReplacement(at: slot, count) : nil
      var layering = base.watchers[slot].layering ?? Layering()
      var delta =
        base.watchers[slot].delta ?? RowDelta(rowCount: base.watchers[slot].rowCountBefore)
      if let layer = layering.layer {
        delta = RowDelta(rowCount: layer.rows.count)
      } else {
        layering.rowCountBefore = base.watchers[slot].rowCountBefore
      }
      if let rows {
        delta.delete(at: 0, count: Int32(rows.count), rows: rows)
      } else {
        try base.deleteUnlisted(rowCount, from: &delta, at: slot, count)
      }
      layering.delta = delta
      layering.replaced = Layering.Replacement(
        order: layering.order,
        ordering: layering.ordering,
        isFiltered: layering.isFiltered,
        layer: layering.layer,
        rowsBefore: base.watchers[slot].delta == nil ? rows : nil
      )
      transaction?.recordListed(rows?.count ?? 0)
      transaction?.listedBytes += layering.layer?.byteCount ?? 0
      base.watchers[slot].layering = layering
      base.layered.insert(slot)
    }
    base.watchers[slot].layering?.updatedSteps = -1
  }

  /// Returns the rows to delete: those of a layer as they were before the transaction, else the
  /// current ones.
  private func rowsBeforeReplacement(
    at slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> [RowDelta<Width>.Listed] {
    guard let layer = base.watchers[slot].layering?.layer else {
      return try base.allRows(of: base.watchers[slot].view, count)
    }
    let left = base.watchers[slot].delta?.rowsTakenOut ?? [:]
    var rows: [RowDelta<Width>.Listed] = []
    rows.reserveCapacity(Int(layer.rows.count))
    for node in layer.rows.nodes(from: 0, count: layer.rows.count) {
      try count(1)
      rows.append(left[node] ?? RowDelta.Listed(at: base.forest.place(of: node), in: base.forest))
    }
    return rows
  }

  // MARK: The expansion kept aside

  /// Sets the rule and the toggled nodes of the expansion that a view has without its filter.
  mutating func setUnfilteredRule(
    _ rule: ExpansionRule,
    toggling exceptions: [NodeID] = [],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    guard let old = base.watchers[slot].aside else {
      return try setRule(rule, toggling: exceptions, in: id, counting: count)
    }
    try count(stepsToMake(rule, exceptions) + old.toggles.count)
    if old.rule == rule, old.toggledNodes == Set(exceptions) { return }
    record(.views(base.watchers[slot].view, aside: old, view: slot))
    if base.watchers[slot].asideBefore == nil { base.watchers[slot].asideBefore = old }
    base.watchers[slot].aside = base.makeView(rule, toggling: exceptions)
    base.indexes.release(for: old.rule)
  }

  /// Expands a node in the expansion kept aside, if there is one and the node is not a leaf.
  mutating func expandAside(_ node: NodeID, at slot: Int) {
    let depth = base.forest.place(of: node).depth
    guard base.forest[node].childState != .leaf,
      base.watchers[slot].aside?.isExpanded(node, depth: depth) == false
    else { return }
    record(.toggledAside(node, view: slot))
    base.watchers[slot].aside?.toggle(node, in: base.forest, base.indexes)
  }

  /// Restores a view, and the expansion kept aside, on rollback.
  mutating func restoreViews(_ view: View<Width>, aside: View<Width>?, at slot: Int) {
    let (oldView, oldAside) = (base.watchers[slot].view, base.watchers[slot].aside)
    base.indexes.retain(for: view.rule, of: base.forest)
    if let aside { base.indexes.retain(for: aside.rule, of: base.forest) }
    base.indexes.release(for: oldView.rule)
    if let oldAside { base.indexes.release(for: oldAside.rule) }
    base.watchers[slot].view = view
    base.watchers[slot].aside = aside
  }

  /// Sets the order of siblings among a view's rows.
  mutating func setOrdering(
    _ ordering: OrderingID?,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    guard ordering != base.watchers[slot].layering?.ordering else { return }
    try replaceRows(at: slot, listing: .max, count)
    base.watchers[slot].layering?.ordering = ordering
    base.watchers[slot].layering?.delta?.isReordering = true
  }

  // MARK: Rows of filters and orders

  /// Removes the filter and order of a view, whose rows are to be updated and stored again.
  ///
  /// - Returns: Nil if no update is needed.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  mutating func takeLayering(
    at slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> Layering<Width>? {
    guard let steps = transaction?.inverses.count else {
      preconditionFailure("no transaction is running")
    }
    guard base.watchers[slot].isLayered else {
      base.watchers[slot].sortDelta()
      return nil
    }
    guard transaction?.reach.contains(layeredViewAt: slot) == true,
      var layering = base.watchers[slot].layering
    else { return nil }
    if layering.replaced == nil, base.ordering(layering.ordering)?.isRebuilt == true {
      try replaceRows(at: slot, listing: .max, count)
      layering = base.watchers[slot].layering ?? layering
    }
    guard layering.updatedSteps != steps else { return nil }
    base.watchers[slot].layering = nil
    return layering
  }

  /// Gives a view, whose former rows are deleted, the rows of a layer; nil for the tree's own.
  mutating func adopt(_ layer: RowLayer<Width>?, inViewAt slot: Int) {
    let rowCount = layer?.rows.count ?? base.watchers[slot].view.rowCount
    base.watchers[slot].layering?.layer = layer
    base.watchers[slot].layering?.delta?.insert(at: 0, count: rowCount)
    base.watchers[slot].layering?.updatedSteps = transaction?.inverses.count ?? 0
  }
}
