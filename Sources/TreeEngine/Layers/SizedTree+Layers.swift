// Filter and order of a view. If they are set, ``SizedTree/updateRows(_:counting:matches:)`` makes
// the rows anew at the end of the transaction.
extension SizedTree {
  /// True if any view is filtered or not in tree order, or was when the transaction began.
  ///
  /// - Complexity: O(1).
  public var hasLayers: Bool {
    @specialized(where Width == Fanout<64>)
    get { !layered.isEmpty }
  }

  /// Returns true if a view is filtered, so that it shows only matches and their ancestors.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func isFiltered(_ id: ViewID) -> Bool {
    watchers[slot(of: id)].layering?.isFiltered ?? false
  }

  /// Returns true if the running transaction set a view's filter or order.
  ///
  /// ``updateRows(_:counting:matches:)`` then tests all nodes if the view is filtered.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func hasNewLayer(_ id: ViewID) -> Bool {
    watchers[slot(of: id)].layering?.replaced != nil
  }

  /// Returns true if a view's filter showed a node when the view was last updated, or if the view
  /// has no filter.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func passedFilter(_ node: NodeID, in id: ViewID) -> Bool {
    filter(inViewAt: slot(of: id))?.isMember(node) ?? true
  }

  /// Returns the order of a view's rows.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func order(of id: ViewID) -> ViewOrder {
    watchers[slot(of: id)].layering?.order ?? .depthFirst
  }

  /// Sets a new filter on a view, or removes it.
  ///
  /// The nodes are tested at the end of the transaction. Nodes at the top level are always shown. A
  /// filter has an expansion of its own, in which everything is expanded at first. The former
  /// expansion is kept aside and updated with the data. It returns when the filter is removed.
  ///
  /// - Parameters:
  ///   - isOn: True for a new filter, false to remove it.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(rows).
  @specialized(where Width == Fanout<64>)
  public mutating func setFilter(
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
  ///   - limit: The maximum number of former rows to list. Of more rows, only the first is listed.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws.
  mutating func setFilter(
    _ isOn: Bool,
    in id: ViewID,
    listing limit: Int,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = slot(of: id)
    let old = watchers[slot].view
    let aside = watchers[slot].aside
    guard isOn || aside != nil else { return }
    try replaceRows(at: slot, listing: limit, count)
    record(.views(old, aside: aside, view: slot))
    if watchers[slot].viewBefore == nil { watchers[slot].viewBefore = old }
    if let aside {
      indexes.release(for: old.rule)
      watchers[slot].view = isOn ? View(rule: .all, of: forest, indexes) : aside
      watchers[slot].aside = isOn ? aside : nil
    } else {
      watchers[slot].aside = old
      watchers[slot].view = View(rule: .all, of: forest, indexes)
    }
    watchers[slot].layering?.isFiltered = isOn
    watchers[slot].layering?.replaced?.concernsFilter = true
  }

  /// Sets the order of a view's rows.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(rows).
  @specialized(where Width == Fanout<64>)
  public mutating func setOrder(
    _ order: ViewOrder,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    guard order != self.order(of: id) else { return }
    let slot = slot(of: id)
    try replaceRows(at: slot, listing: .max, count)
    watchers[slot].layering?.order = order
    watchers[slot].layering?.delta?.isReordering = true
  }

  /// Records the deletion of all rows; ``updateRows(_:counting:matches:)`` inserts the new ones.
  mutating func replaceRows(
    at slot: Int,
    listing limit: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    precondition(transaction != nil, "mutations belong in a transaction")
    transaction?.reach.extend(toViewAt: slot)
    if watchers[slot].layering?.replaced == nil {
      let rowCount = shownRowCount(slot)
      let isListed = rowCount <= max(1, limit)
      let rows = isListed ? try rowsBeforeReplacement(at: slot, count) : nil
      var layering = watchers[slot].layering ?? Layering()
      var delta = watchers[slot].delta ?? RowDelta(rowCount: watchers[slot].rowCountBefore)
      if let layer = layering.layer {
        delta = RowDelta(rowCount: layer.rows.count)
      } else {
        layering.rowCountBefore = watchers[slot].rowCountBefore
      }
      if let rows {
        delta.delete(at: 0, count: Int32(rows.count), rows: rows)
      } else {
        // Only the first row is listed. Without sections, it is the only one at the top level.
        delta.delete(at: 1, count: rowCount - 1, rows: nil)
        delta.delete(at: 0, count: 1, rows: listedRows(from: 0, count: 1, inViewAt: slot))
      }
      layering.delta = delta
      layering.replaced = Layering.Replacement(
        order: layering.order,
        ordering: layering.ordering,
        isFiltered: layering.isFiltered,
        layer: layering.layer,
        rowsBefore: watchers[slot].delta == nil ? rows : nil
      )
      transaction?.recordListed(rows?.count ?? 0)
      transaction?.listedBytes += layering.layer?.byteCount ?? 0
      watchers[slot].layering = layering
      layered.insert(slot)
    }
    watchers[slot].layering?.updatedSteps = -1
  }

  /// Returns the rows to delete: those of a layer as they were before the transaction, else the
  /// current ones.
  private func rowsBeforeReplacement(
    at slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> [RowDelta<Width>.Listed] {
    guard let layer = watchers[slot].layering?.layer else {
      return try allRows(of: watchers[slot].view, count)
    }
    let left = watchers[slot].delta?.rowsTakenOut ?? [:]
    var rows: [RowDelta<Width>.Listed] = []
    rows.reserveCapacity(Int(layer.rows.count))
    for node in layer.rows.nodes(from: 0, count: layer.rows.count) {
      try count(1)
      rows.append(left[node] ?? RowDelta.Listed(at: forest.place(of: node), in: forest))
    }
    return rows
  }

  /// Returns true if the running transaction has a net effect on a view's filter, its order, or the
  /// expansion kept aside.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(nodes toggled in the expansions kept aside).
  @specialized(where Width == Fanout<64>)
  public func hasLayerChanges(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> Bool {
    let watcher = watchers[slot(of: id)]
    if let layering = watcher.layering, let replaced = layering.replaced {
      if layering.order != replaced.order || layering.ordering != replaced.ordering { return true }
      if replaced.concernsFilter, layering.isFiltered || replaced.isFiltered { return true }
    }
    guard let before = watcher.asideBefore, let aside = watcher.aside else { return false }
    try count(before.toggles.count + aside.toggles.count)
    return before.rule != aside.rule
      || before.toggledNodes.symmetricDifference(aside.toggledNodes).contains {
        forest.isAttached($0)
      }
  }

  // MARK: The expansion kept aside

  /// Sets the rule and the toggled nodes of the expansion that a view has without its filter.
  ///
  /// See ``setRule(_:toggling:in:counting:)``.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - exceptions: The nodes that differ from it. None may be a leaf.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*e* log *n*) for *e* exceptions while the view is filtered.
  @specialized(where Width == Fanout<64>)
  public mutating func setUnfilteredRule(
    _ rule: ExpansionRule,
    toggling exceptions: [NodeID] = [],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = slot(of: id)
    guard let old = watchers[slot].aside else {
      return try setRule(rule, toggling: exceptions, in: id, counting: count)
    }
    try count(stepsToMake(rule, exceptions) + old.toggles.count)
    if old.rule == rule, old.toggledNodes == Set(exceptions) { return }
    record(.views(watchers[slot].view, aside: old, view: slot))
    if watchers[slot].asideBefore == nil { watchers[slot].asideBefore = old }
    watchers[slot].aside = makeView(rule, toggling: exceptions)
    indexes.release(for: old.rule)
  }

  /// Expands a node in the expansion kept aside, if there is one and the node is not a leaf.
  mutating func expandAside(_ node: NodeID, at slot: Int) {
    let depth = forest.place(of: node).depth
    guard forest[node].childState != .leaf,
      watchers[slot].aside?.isExpanded(node, depth: depth) == false
    else { return }
    record(.toggledAside(node, view: slot))
    watchers[slot].aside?.toggle(node, in: forest, indexes)
  }

  /// Returns the rule of the expansion that a view has without its filter.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func unfilteredRule(of id: ViewID) -> ExpansionRule {
    let watcher = watchers[slot(of: id)]
    return (watcher.aside ?? watcher.view).rule
  }

  /// Returns the nodes that differ from the rule in the expansion that a view has without its
  /// filter.
  ///
  /// They are in pre-order.
  ///
  /// - Complexity: O(*t* log *n*) for *t* of them.
  @specialized(where Width == Fanout<64>)
  public func unfilteredToggledNodes(
    in id: ViewID,
    while proceeds: () -> Bool = { true }
  ) -> [NodeID] {
    let watcher = watchers[slot(of: id)]
    return inPreOrder((watcher.aside ?? watcher.view).toggles, while: proceeds)
  }

  /// Restores a view, and the expansion kept aside, on rollback.
  mutating func restoreViews(_ view: View<Width>, aside: View<Width>?, at slot: Int) {
    let (oldView, oldAside) = (watchers[slot].view, watchers[slot].aside)
    indexes.retain(for: view.rule, of: forest)
    if let aside { indexes.retain(for: aside.rule, of: forest) }
    indexes.release(for: oldView.rule)
    if let oldAside { indexes.release(for: oldAside.rule) }
    watchers[slot].view = view
    watchers[slot].aside = aside
  }
}

extension RowDelta {
  /// The listed deleted rows by node, with their former parents and depths.
  ///
  /// - Complexity: O(rows listed).
  var rowsTakenOut: [NodeID: Listed] {
    var rows: [NodeID: Listed] = [:]
    forEach { run, _, _ in
      guard run.kind == .deleted, run.list >= 0 else { return }
      for row in listed[Int(run.list)..<Int(run.list + run.count)] { rows[row.node] = row }
    }
    return rows
  }
}
