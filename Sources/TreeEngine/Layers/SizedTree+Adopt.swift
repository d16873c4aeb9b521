/// The rows of a view with another filter or order, computed on a fork of the tree.
public struct PreparedLayer<Width: NodeWidth>: Sendable {
  /// The rows; nil if the expansion alone determines them.
  let layer: RowLayer<Width>?
  /// The order of the rows.
  public let order: ViewOrder
  /// True if the rows are filtered.
  public var isFiltered: Bool { layer?.filter != nil }

  /// A rule of expansion, and the nodes that differ from it.
  public typealias Expansion = (rule: ExpansionRule, toggled: [NodeID])

  /// The expansion of the view on the fork.
  let rule: ExpansionRule
  let toggled: Set<NodeID>
}

// A filter is tested on all nodes of a fork, or the rows of a fork are ordered, while the tree
// changes. Then only the nodes that changed meanwhile are tested and placed.
extension SizedTree {
  /// Begins to record the changes of the data, for the update of a layer that is made on a fork.
  ///
  /// Discards the changes that were recorded before.
  ///
  /// - Returns: An object that identifies this moment. Recording ends when it is released.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(nodes recorded before).
  @specialized(where Width == Fanout<64>)
  public mutating func watchChanges() -> ChangeWatch {
    precondition(transaction == nil, "a transaction is running")
    let watch = ChangeWatch()
    changeRecord = ChangeRecord(for: watch)
    return watch
  }

  /// Returns true if a layer made on a fork can be updated by the changes since a moment.
  ///
  /// Otherwise there are too many changes, or they are unusable.
  ///
  /// - Complexity: O(*k* log *n*) for *k* nodes moved.
  @specialized(where Width == Fanout<64>)
  public func canFollow(since moment: ChangeWatch) -> Bool {
    guard let changeRecord, changeRecord.watch === moment, changeRecord.isUsable else {
      return false
    }
    var size = 0
    for node in changeRecord.changes.moved + changeRecord.changes.arranged
    where node == .forestRoot || forest.isAttached(node) {
      size += subtreeSize(of: node)
      if size > ChangeRecord<Width>.maxCount { return false }
    }
    return true
  }

  /// Returns the rows that the running transaction has made for a view's filter and order.
  ///
  /// - Precondition: The rows of the view are up to date.
  /// - Complexity: O(toggled nodes), and O(changes) for a layer that followed changes.
  @specialized(where Width == Fanout<64>)
  public func preparedLayer(of id: ViewID) -> PreparedLayer<Width> {
    let slot = slot(of: id)
    precondition(hasUpdatedRows(slot), "the rows are not up to date")
    let (view, layering) = (watchers[slot].view, watchers[slot].layering)
    var layer = layering?.layer
    layer?.endTransaction()
    return PreparedLayer(
      layer: layer,
      order: layering?.order ?? .depthFirst,
      rule: view.rule,
      toggled: view.toggledNodes
    )
  }

  /// Compares the expansion of a view with that under which rows were made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The rows.
  ///   - setsFilter: True if the rows were made with another filter than the view's.
  ///   - filtered: The expansion that the view gets with a new filter; nil to expand everything.
  ///   - id: The view.
  /// - Returns: True if the view can adopt the rows. The same nodes must be expanded in both.
  /// - Complexity: O(toggled nodes).
  @specialized(where Width == Fanout<64>)
  public func canAdopt(
    _ prepared: PreparedLayer<Width>,
    settingFilter setsFilter: Bool,
    expanding filtered: PreparedLayer<Width>.Expansion? = nil,
    in id: ViewID
  ) -> Bool {
    if prepared.layer == nil { return true }
    if setsFilter, prepared.isFiltered { return canAdopt(prepared, expanding: filtered) }
    let watcher = watchers[slot(of: id)]
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
      && Set(toggled) == prepared.toggled.filter { forest.isAttached($0) }
  }

  /// Sets a filter, an order or both on a view, using rows that were made on a fork.
  ///
  /// The rows are up to date afterwards.
  ///
  /// - Parameters:
  ///   - prepared: The rows, made since ``watchChanges()`` was called.
  ///   - setsFilter: True to set or remove the filter; false to keep it.
  ///   - filtered: The expansion that the view gets with a new filter; nil to expand everything.
  ///   - ordering: The order of siblings that the rows were made with, which may have been adopted.
  ///   - limit: The maximum number of former rows to list. Of more rows, only the first is listed.
  ///   - id: The view.
  ///   - count: Counts the steps.
  ///   - matches: Returns true if a node matches the filter; called for nodes made or changed.
  /// - Throws: The error that `count` or `matches` throws. The transaction must be rolled back
  ///   then.
  /// - Precondition: ``canFollow(since:)`` and ``canAdopt(_:settingFilter:expanding:in:)`` are
  ///   true, and the transaction has changed no data.
  /// - Complexity: O(*l*) for *l* rows listed, and O(*k* log² *n*) for *k* nodes that were changed
  ///   or moved since.
  @specialized(where Width == Fanout<64>)
  public mutating func adopt(
    _ prepared: PreparedLayer<Width>,
    settingFilter setsFilter: Bool = true,
    expanding filtered: PreparedLayer<Width>.Expansion? = nil,
    sortedBy ordering: OrderingID? = nil,
    listing limit: Int,
    in id: ViewID,
    counting count: StepCounter,
    matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard let changes = changeRecord?.changes else { preconditionFailure("nothing was recorded") }
    let slot = slot(of: id)
    if setsFilter {
      try setFilter(prepared.isFiltered, in: id, listing: limit, counting: count)
      if let (rule, toggled) = filtered {
        try setRule(rule, toggling: toggled, in: id, counting: count)
      }
    }
    try replaceRows(at: slot, listing: limit, count)
    try setOrder(prepared.order, in: id, counting: count)
    try setOrdering(ordering, in: id, counting: count)
    var rowCount = watchers[slot].view.rowCount
    if var layer = prepared.layer {
      layer.ordering = ordering
      let displaced = self.ordering(ordering).map { ordering in
        ordering.isNew ? ordering.displaced : changeRecord?.displaced[ordering.id] ?? NodeSet()
      }
      try follow(changes, displaced?.nodes ?? [], by: &layer, inViewAt: slot, count, matches)
      rowCount = layer.rows.count
      watchers[slot].layering?.layer = layer
    } else {
      watchers[slot].layering?.layer = nil
    }
    watchers[slot].layering?.delta?.insert(at: 0, count: rowCount)
    watchers[slot].layering?.updatedSteps = transaction?.inverses.count ?? 0
  }

  /// Applies changes of the data to rows that were made before.
  private func follow(
    _ changes: DataChanges<Width>,
    _ displaced: [NodeID],
    by layer: inout RowLayer<Width>,
    inViewAt slot: Int,
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    var changed = changes.removed
    if var filter = layer.filter {
      layer.filter = nil
      defer { layer.filter = filter }
      var matchedBefore: [NodeID: Bool] = [:]
      try updateMembers(of: &filter, changes, &matchedBefore, count, matches)
      changed += filter.changedNodes
    } else {
      changed += changes.touched.nodes
    }
    var traffic = RowTraffic<Width>()
    for node in changed {
      try count(1)
      replace(node, at: forest.place(ofAttached: node), layer.filter, inViewAt: slot, &traffic)
    }
    let tops = changes.moved + changes.arranged
    try replace(atOrBelow: tops, layer.filter, inViewAt: slot, &traffic, count)
    if var filter = layer.filter {
      layer.filter = nil
      defer { layer.filter = filter }
      _ = try apply(traffic, to: &filter.rows, by: RowRanking(), count)
      filter.endTransaction()
    }
    guard var rows = layer.reordered else { return }
    layer.reordered = nil
    let ordering = ordering(layer.ordering)
    let size = displaced.reduce(0) { $0 + (forest.isAttached($1) ? subtreeSize(of: $1) : 0) }
    if let ordering, ordering.isRebuilt || size > ChangeRecord<Width>.maxCount {
      layer.reordered = try reordered(layer, by: ordering, inViewAt: slot, count)
      return
    }
    try replace(atOrBelow: displaced, layer.filter, inViewAt: slot, &traffic, count)
    let ranking = RowRanking(order: layer.order, ordering: ordering)
    _ = try apply(traffic, to: &rows, by: ranking, count)
    rows.endTransaction()
    layer.reordered = rows
  }

  /// Records that the rows of nodes and of their descendants leave, and enter again if they are
  /// still rows.
  private func replace(
    atOrBelow tops: [NodeID],
    _ filter: RowFilter<Width>?,
    inViewAt slot: Int,
    _ traffic: inout RowTraffic<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    for top in tops where top == .forestRoot || forest.isAttached(top) {
      let place = forest.place(of: top)
      let end = forest.subtreeEnd(place)
      var next: Forest<Width>.Place? = place
      while let current = next, current.position < end {
        try count(1)
        replace(forest.node(at: current), at: current, filter, inViewAt: slot, &traffic)
        next = forest.next(current)
      }
    }
  }

  /// Records that the row of a node leaves, and enters again if the node is still a row.
  private func replace(
    _ node: NodeID,
    at place: Forest<Width>.Place?,
    _ filter: RowFilter<Width>?,
    inViewAt slot: Int,
    _ traffic: inout RowTraffic<Width>
  ) {
    let row = RowDelta<Width>.Listed(node: node, parent: .forestRoot, depth: 0)
    guard traffic.left.updateValue(row, forKey: node) == nil, let place, place.depth > 0 else {
      return
    }
    let view = watchers[slot].view
    let isExpanded = view.row(at: place.position, depth: place.depth, in: forest, indexes) != nil
    if isExpanded, filter?.isMember(node) ?? true { traffic.came.append(node) }
  }

  /// Returns all rows of a layer in its order, sorted anew.
  private func reordered(
    _ layer: RowLayer<Width>,
    by ordering: Ordering<Width>,
    inViewAt slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> RowSequence<Width> {
    let listed: [RowDelta<Width>.Listed]
    if let rows = layer.filter?.rows {
      try count(Int(rows.count))
      listed = rows.listed(from: 0, count: rows.count, in: forest)
    } else {
      listed = try allRows(of: watchers[slot].view, count)
    }
    let sorted = try sorted(listed, by: ordering, count)
    return try rowSequence(layer.order == .depthFirst ? sorted : breadthFirst(sorted, count), count)
  }
}
