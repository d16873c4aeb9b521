// Orders of siblings.
extension SizedTree {
  /// Returns an ordering that the running transaction has added; nil if it has not.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func preparedOrdering(_ id: OrderingID) -> PreparedOrdering<Width>? {
    guard let ordering = editor.base.ordering(id), ordering.isNew else { return nil }
    return PreparedOrdering(ordering: ordering)
  }

  /// Adds an ordering that was made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The ordering, made since ``watchChanges()`` was called.
  ///   - sorter: Sorts siblings, as it did when the ordering was made.
  ///   - count: Counts the steps.
  /// - Returns: Its name.
  /// - Throws: The error of counting or sorting. The transaction must be rolled back then.
  /// - Precondition: ``canFollow(since:)``; the transaction has changed nothing yet.
  /// - Complexity: O(*k* log² *n*) for *k* nodes that were changed since.
  @specialized(where Width == Fanout<64>)
  public mutating func adopt(
    _ prepared: PreparedOrdering<Width>,
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) -> OrderingID {
    guard let changes = changeRecord?.changes else { preconditionFailure("nothing was recorded") }
    let id = editor.add(prepared.ordering.named(OrderingID(number: editor.base.orderingCount)))
    var doubtful = NodeSet()
    doubtful.insert(changes.touched.nodes)
    doubtful.insert(changes.moved)
    for parent in changes.arranged
    where parent == .forestRoot || editor.base.forest.isAttached(parent) {
      try count(childCount(of: parent))
      editor.base.forest.forEachChild(of: parent) { node in
        doubtful.insert(node)
        return true
      }
    }
    try follow(changes, doubting: doubtful.nodes, at: editor.base.place(of: id), sorter, count)
    return id
  }

  /// Adds an ordering of all nodes.
  ///
  /// A rollback of the transaction removes it.
  ///
  /// - Parameters:
  ///   - sorter: Sorts siblings.
  ///   - count: Counts the steps.
  /// - Returns: Its name.
  /// - Throws: The error of counting or sorting. Nothing was added then.
  /// - Complexity: O(*n*), and the cost of sorting.
  @specialized(where Width == Fanout<64>)
  public mutating func addOrdering(
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) -> OrderingID {
    let nodes = try orderedNodes(sorter, count)
    return editor.add(Ordering(OrderingID(number: editor.base.orderingCount), nodes))
  }

  /// Updates an ordering after the changes of the running transaction.
  ///
  /// Must be called for each of ``orderingIDs``, before the rows of views are updated.
  ///
  /// - Parameters:
  ///   - id: The ordering.
  ///   - sorter: Sorts siblings, as it did when the ordering was added.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting or sorting. The transaction must be rolled back then.
  /// - Complexity: O(*k* log² *n*) for *k* nodes made, updated, moved and removed; O(*n*) if they
  ///   are many.
  @specialized(where Width == Fanout<64>)
  public mutating func update(
    _ id: OrderingID,
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) {
    let place = editor.base.place(of: id)
    guard let transaction = editor.transaction else {
      preconditionFailure("no transaction is running")
    }
    let steps = transaction.inverses.count
    let followed = editor.base.orderings[place].followedSteps
    editor.base.orderings[place].followedSteps = steps
    try count((steps - followed) / 8)
    guard transaction.inverses[followed...].contains(where: \.changesNodes) else { return }
    guard followed == 0, !editor.base.orderings[place].isNew else {
      return try rebuild(at: place, sorter, count)
    }
    var changes = DataChanges<Width>()
    changes.add(transaction, in: editor.base.forest)
    var doubtful = transaction.moved
    for (node, before) in zip(transaction.readings.keys.nodes, transaction.readings.values)
    where editor.base.forest.isAttached(node)
      && !editor.base.forest.sameBytes(before.object, editor.base.forest[node].object)
    {
      doubtful.insert(node)
    }
    try follow(changes, doubting: doubtful.nodes, at: place, sorter, count)
  }

  /// Updates an ordering after changes of the data.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - doubtful: Further nodes that may be out of order.
  ///   - place: The index of the ordering.
  ///   - sorter: Sorts siblings.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting or sorting. A rollback undoes what was done.
  private mutating func follow(
    _ changes: DataChanges<Width>,
    doubting doubtful: [NodeID],
    at place: Int,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    let made = changes.touched.nodes.count + doubtful.count
    if Ordering<Width>.isRebuilt(after: made, of: nodeCount) {
      return try rebuild(at: place, sorter, count)
    }
    var ordering = editor.base.orderings[place]
    // The ordering is stored even after an error, because its edits are needed for the rollback.
    defer { editor.base.orderings[place] = ordering }
    try ordering.follow(changes, doubting: doubtful, in: editor.base.forest, count) {
      (left, right) throws(Interruption) in
      try precedes(left, right, sorter)
    }
  }

  /// Returns true if a node comes before a sibling.
  ///
  /// Equal siblings are in the order of the tree.
  private func precedes(
    _ left: NodeID,
    _ right: NodeID,
    _ sorter: any SiblingSorter<Width>
  ) throws(Interruption) -> Bool {
    let result = try sorter.compare(left, right, in: self)
    if result != 0 { return result < 0 }
    return editor.base.forest.place(of: left).position
      < editor.base.forest.place(of: right).position
  }

  /// Sorts all nodes of an ordering anew.
  private mutating func rebuild(
    at place: Int,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    let nodes = try orderedNodes(sorter, count)
    editor.base.orderings[place].replace(by: nodes)
  }

  /// Sorts all nodes.
  private func orderedNodes(
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> OrderedNodes<Width> {
    let run = try editor.base.forest.sortedRun(counting: count) {
      (siblings: inout [NodeID], parent) throws(Interruption) in
      try sorter.sort(&siblings, of: parent, in: self)
    }
    let records = editor.base.forest.records.count
    return try Interruption.completing(count) { pass in
      OrderedNodes(run, of: records, passing: pass)
    }
  }

  // MARK: Rows that were made on a fork

  /// Returns the rows that the running transaction has made for a view's filter and order.
  ///
  /// - Precondition: The rows of the view are up to date.
  /// - Complexity: O(toggled nodes), and O(changes) for a layer that followed changes.
  @specialized(where Width == Fanout<64>)
  public func preparedLayer(of id: ViewID) -> PreparedLayer<Width> {
    let slot = editor.base.slot(of: id)
    precondition(
      editor.base.hasUpdatedRows(slot, in: editor.transaction),
      "the rows are not up to date"
    )
    return PreparedLayer(of: editor.base.watchers[slot])
  }

  /// Compares the expansion of a view with that under which rows were made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The rows.
  ///   - setsFilter: True if the rows were made with another filter than the view's.
  ///   - filtered: The expansion that the view gets with a new filter; nil to expand everything.
  ///   - unfiltered: The expansion that the view gets without a filter; nil to keep it.
  ///   - id: The view.
  /// - Returns: True if the view can adopt the rows. The same nodes must be expanded in both.
  /// - Complexity: O(toggled nodes).
  @specialized(where Width == Fanout<64>)
  public func canAdopt(
    _ prepared: PreparedLayer<Width>,
    settingFilter setsFilter: Bool,
    expanding filtered: PreparedLayer<Width>.Expansion? = nil,
    unfiltered: PreparedLayer<Width>.Expansion? = nil,
    in id: ViewID
  ) -> Bool {
    if prepared.layer == nil { return true }
    if setsFilter, prepared.isFiltered { return canAdopt(prepared, expanding: filtered) }
    let watcher = editor.base.watchers[editor.base.slot(of: id)]
    let keepsFilter = !setsFilter && watcher.aside != nil
    if let unfiltered, !keepsFilter { return canAdopt(prepared, expanding: unfiltered) }
    let view = setsFilter ? watcher.aside ?? watcher.view : watcher.view
    return canAdopt(prepared, expanding: (view.rule, Array(view.toggledNodes)))
  }

  /// Compares the expansion of a new view with that under which rows were made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The rows.
  ///   - expansion: The expansion that the view has or gets; nil if everything is expanded.
  /// - Returns: True if the same nodes are expanded in both.
  /// - Complexity: O(toggled nodes).
  @specialized(where Width == Fanout<64>)
  public func canAdopt(
    _ prepared: PreparedLayer<Width>,
    expanding expansion: PreparedLayer<Width>.Expansion?
  ) -> Bool {
    let (rule, toggled) = expansion ?? (.all, [])
    return rule == prepared.rule
      && Set(toggled) == prepared.toggled.filter { editor.base.forest.isAttached($0) }
  }

  /// Sets a filter, an order or an expansion of a view, or several, using rows made on a fork.
  ///
  /// The rows are up to date afterwards.
  ///
  /// - Parameters:
  ///   - prepared: The rows, made since ``watchChanges()`` was called.
  ///   - setsFilter: True to set or remove the filter; false to keep it.
  ///   - filtered: The expansion that the view gets with a new filter; nil to expand everything.
  ///   - unfiltered: The expansion that the view gets without a filter; nil to keep it.
  ///   - ordering: The order of siblings that the rows were made with, which may have been adopted.
  ///   - limit: The maximum number of former rows to list below the top level. Of more rows, only
  ///     those at the top level are listed.
  ///   - id: The view.
  ///   - count: Counts the steps.
  ///   - matches: Returns true if a node matches the filter; called for nodes made or changed.
  /// - Throws: The error that `count` or `matches` throws. The transaction must be rolled back
  ///   then.
  /// - Precondition: ``canFollow(since:)`` is true, and so is
  ///   ``canAdopt(_:settingFilter:expanding:unfiltered:in:)``. The transaction has changed no data.
  /// - Complexity: O(*l*) for *l* rows listed, and O(*k* log² *n*) for *k* nodes that were changed
  ///   or moved since.
  @specialized(where Width == Fanout<64>)
  public mutating func adopt(
    _ prepared: PreparedLayer<Width>,
    settingFilter setsFilter: Bool = true,
    expanding filtered: PreparedLayer<Width>.Expansion? = nil,
    unfiltered: PreparedLayer<Width>.Expansion? = nil,
    sortedBy ordering: OrderingID? = nil,
    listing limit: Int,
    in id: ViewID,
    counting count: StepCounter,
    matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard let changes = changeRecord?.changes else { preconditionFailure("nothing was recorded") }
    let slot = editor.base.slot(of: id)
    // First, so that the difference between the former and the new rows is not searched.
    try editor.replaceRows(at: slot, listing: limit, count)
    if let (rule, toggled) = unfiltered {
      try setUnfilteredRule(rule, toggling: toggled, in: id, counting: count)
    }
    if setsFilter {
      try editor.setFilter(prepared.isFiltered, in: id, listing: limit, counting: count)
      if let (rule, toggled) = filtered {
        try setRule(rule, toggling: toggled, in: id, counting: count)
      }
    }
    try setOrder(prepared.order, in: id, counting: count)
    try setOrdering(ordering, in: id, counting: count)
    guard var layer = prepared.layer else { return editor.adopt(nil, inViewAt: slot) }
    layer.ordering = ordering
    let displaced = editor.base.ordering(ordering).map { ordering in
      ordering.isNew ? ordering.displaced : changeRecord?.displaced[ordering.id] ?? NodeSet()
    }
    let upkeep = LayerUpkeep(slot: slot, transaction: editor.transaction)
    try upkeep.follow(changes, displaced?.nodes ?? [], by: &layer, in: editor.base, count) {
      node throws(Interruption) in try matches(self, node)
    }
    editor.adopt(layer, inViewAt: slot)
  }
}
