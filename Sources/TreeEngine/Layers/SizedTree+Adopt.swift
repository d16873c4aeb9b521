/// The rows of a filter, computed on a fork of the tree.
public struct PreparedLayer<Width: NodeWidth>: Sendable {
  let layer: RowLayer<Width>
  /// The order of the rows.
  public let order: ViewOrder
}

// A filter is held against all nodes on a fork, while the tree goes on. Then only the nodes that
// changed meanwhile are left to ask about.
extension SizedTree {
  /// Begins to record the changes of the data, so that a layer made on a fork can follow them.
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

  /// Returns true if a layer made on a fork can follow the changes since a moment.
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

  /// Returns the layer that the running transaction has made of a view's rows.
  ///
  /// The result is nil if the view is not filtered, or if not everything is expanded in it.
  ///
  /// - Precondition: The rows of the view are up to date.
  /// - Complexity: O(1), and O(changes) for a layer that followed changes.
  @specialized(where Width == Fanout<64>)
  public func preparedLayer(of id: ViewID) -> PreparedLayer<Width>? {
    let slot = slot(of: id)
    precondition(hasUpdatedRows(slot), "the rows are not up to date")
    let view = watchers[slot].view
    guard let layering = watchers[slot].layering, layering.isFiltered, var layer = layering.layer,
      view.rule == .all, view.toggles.isEmpty
    else { return nil }
    layer.endTransaction()
    return PreparedLayer(layer: layer, order: layering.order)
  }

  /// Sets a filter, and possibly an order, on a view by a layer that was made on a fork.
  ///
  /// The rows are up to date afterwards.
  ///
  /// - Parameters:
  ///   - prepared: The layer, made since ``watchChanges()`` was called.
  ///   - ordering: The order of siblings that the layer was made with, which may have been adopted.
  ///   - limit: The maximum number of former rows to list. If there are more, only the first is.
  ///   - id: The view.
  ///   - count: Counts the steps.
  ///   - matches: Returns true if a node matches the filter; called for nodes made or changed.
  /// - Throws: The error that `count` or `matches` throws. The transaction must be rolled back
  ///   then.
  /// - Precondition: ``canFollow(since:)`` is true, and the transaction has changed no data.
  /// - Complexity: O(*l*) for *l* rows listed, and O(*k* log² *n*) for *k* nodes that were changed
  ///   or moved since.
  @specialized(where Width == Fanout<64>)
  public mutating func adopt(
    _ prepared: PreparedLayer<Width>,
    sortedBy ordering: OrderingID? = nil,
    listing limit: Int,
    in id: ViewID,
    counting count: StepCounter,
    matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard let changes = changeRecord?.changes else { preconditionFailure("nothing was recorded") }
    let slot = slot(of: id)
    try setFilter(true, in: id, listing: limit, counting: count)
    try setOrder(prepared.order, in: id, counting: count)
    try setOrdering(ordering, in: id, counting: count)
    var layer = prepared.layer
    layer.ordering = ordering
    let displaced = self.ordering(ordering).map { ordering in
      ordering.isNew ? ordering.displaced : changeRecord?.displaced[ordering.id] ?? NodeSet()
    }
    try follow(changes, displaced?.nodes ?? [], by: &layer, count, matches)
    watchers[slot].layering?.delta?.insert(at: 0, count: layer.rows.count)
    watchers[slot].layering?.layer = layer
    watchers[slot].layering?.updatedSteps = transaction?.inverses.count ?? 0
  }

  /// Applies changes of the data to the layer of a filter.
  ///
  /// - Precondition: Everything is expanded in the view.
  private func follow(
    _ changes: DataChanges<Width>,
    _ displaced: [NodeID],
    by layer: inout RowLayer<Width>,
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard var filter = layer.filter else { preconditionFailure("the layer is no filter's") }
    layer.filter = nil
    var matchedBefore: [NodeID: Bool] = [:]
    try updateMembers(of: &filter, changes, &matchedBefore, count, matches)
    var traffic = RowTraffic<Width>()
    var came = NodeSet()
    func leave(_ node: NodeID) {
      traffic.left[node] = RowDelta.Listed(node: node, parent: .forestRoot, depth: 0)
    }
    for node in changes.removed + filter.changedNodes {
      try count(1)
      leave(node)
      if forest.isAttached(node), filter.isMember(node) { came.insert(node) }
    }
    func leave(atOrBelow tops: [NodeID]) throws(Interruption) {
      for top in tops where top == .forestRoot || forest.isAttached(top) {
        let place = forest.place(of: top)
        let end = forest.subtreeEnd(place)
        var next: Forest<Width>.Place? = place
        while let current = next, current.position < end {
          try count(1)
          let node = forest.node(at: current)
          leave(node)
          if filter.isMember(node) { came.insert(node) }
          next = forest.next(current)
        }
      }
    }
    try leave(atOrBelow: changes.moved + changes.arranged)
    traffic.came = came.nodes
    _ = try apply(traffic, to: &filter.rows, by: RowRanking(), count)
    filter.endTransaction()
    layer.filter = filter
    guard var rows = layer.reordered else { return }
    layer.reordered = nil
    let ordering = ordering(layer.ordering)
    let size = displaced.reduce(0) { $0 + (forest.isAttached($1) ? subtreeSize(of: $1) : 0) }
    if let ordering, ordering.isRebuilt || size > ChangeRecord<Width>.maxCount {
      layer.reordered = try reordered(filter.rows, layer.order, by: ordering, count)
      return
    }
    try leave(atOrBelow: displaced)
    traffic.came = came.nodes
    let ranking = RowRanking(order: layer.order, ordering: ordering)
    _ = try apply(traffic, to: &rows, by: ranking, count)
    rows.endTransaction()
    layer.reordered = rows
  }

  /// Puts rows in another order at once.
  private func reordered(
    _ rows: RowSequence<Width>,
    _ order: ViewOrder,
    by ordering: Ordering<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> RowSequence<Width> {
    try count(Int(rows.count))
    let listed = rows.listed(from: 0, count: rows.count, in: forest)
    let sorted = try sorted(listed, by: ordering, count)
    return try rowSequence(order == .depthFirst ? sorted : breadthFirst(sorted, count), count)
  }
}
