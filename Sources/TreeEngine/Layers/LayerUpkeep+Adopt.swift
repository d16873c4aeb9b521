// Rows that were made on a fork. Only the nodes that changed meanwhile are tested and placed.
extension LayerUpkeep {
  /// Applies changes of the data to rows that were made before.
  func follow(
    _ changes: DataChanges<Width>,
    _ displaced: [NodeID],
    by layer: inout RowLayer<Width>,
    in base: borrowing ViewedForest<Width>,
    _ count: StepCounter,
    _ matches: (NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    var changed = changes.removed
    if var filter = layer.filter {
      layer.filter = nil
      defer { layer.filter = filter }
      var matchedBefore: [NodeID: Bool] = [:]
      try filter.update(after: changes, in: base.forest, recording: &matchedBefore, count, matches)
      changed += filter.changedNodes
    } else {
      changed += changes.touched.nodes
    }
    var traffic = RowTraffic<Width>()
    for node in changed {
      try count(1)
      replace(node, at: base.forest.place(ofAttached: node), layer.filter, in: base, &traffic)
    }
    let tops = changes.moved + changes.arranged
    try replace(atOrBelow: tops, layer.filter, in: base, &traffic, count)
    if var filter = layer.filter {
      layer.filter = nil
      defer { layer.filter = filter }
      _ = try traffic.apply(to: &filter.rows, by: RowRanking(), in: base.forest, count)
      filter.endTransaction()
    }
    guard var rows = layer.reordered else { return }
    layer.reordered = nil
    let ordering = base.ordering(layer.ordering)
    let size = displaced.reduce(0) {
      $0 + (base.forest.isAttached($1) ? base.forest.subtreeSize(of: $1) : 0)
    }
    if let ordering, ordering.isRebuilt || size > ChangeRecord<Width>.maxCount {
      layer.reordered = try reordered(layer, by: ordering, in: base, count)
      return
    }
    try replace(atOrBelow: displaced, layer.filter, in: base, &traffic, count)
    let ranking = RowRanking(order: layer.order, ordering: ordering)
    _ = try traffic.apply(to: &rows, by: ranking, in: base.forest, count)
    rows.endTransaction()
    layer.reordered = rows
  }

  /// Records that the rows of nodes and of their descendants leave, and enter again if they are
  /// still rows.
  private func replace(
    atOrBelow tops: [NodeID],
    _ filter: RowFilter<Width>?,
    in base: borrowing ViewedForest<Width>,
    _ traffic: inout RowTraffic<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    for top in tops where top == .forestRoot || base.forest.isAttached(top) {
      let place = base.forest.place(of: top)
      let end = base.forest.subtreeEnd(place)
      var next: Forest<Width>.Place? = place
      while let current = next, current.position < end {
        try count(1)
        replace(base.forest.node(at: current), at: current, filter, in: base, &traffic)
        next = base.forest.next(current)
      }
    }
  }

  /// Records that the row of a node leaves, and enters again if the node is still a row.
  private func replace(
    _ node: NodeID,
    at place: Forest<Width>.Place?,
    _ filter: RowFilter<Width>?,
    in base: borrowing ViewedForest<Width>,
    _ traffic: inout RowTraffic<Width>
  ) {
    let row = RowDelta<Width>.Listed(node: node, parent: .forestRoot, depth: 0)
    guard traffic.left.updateValue(row, forKey: node) == nil, let place, place.depth > 0 else {
      return
    }
    let view = base.watchers[slot].view
    let isExpanded =
      view.row(at: place.position, depth: place.depth, in: base.forest, base.indexes) != nil
    if isExpanded, filter?.isMember(node) ?? true { traffic.came.append(node) }
  }

  /// Returns all rows of a layer in its order, sorted anew.
  private func reordered(
    _ layer: RowLayer<Width>,
    by ordering: Ordering<Width>,
    in base: borrowing ViewedForest<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> RowSequence<Width> {
    let listed: [RowDelta<Width>.Listed]
    if let rows = layer.filter?.rows {
      try count(Int(rows.count))
      listed = rows.listed(from: 0, count: rows.count, in: base.forest)
    } else {
      listed = try base.allRows(of: base.watchers[slot].view, count)
    }
    let sorted = try base.sorted(listed, by: ordering, count)
    return try base.rowSequence(
      layer.order == .depthFirst ? sorted : base.breadthFirst(sorted, count),
      count
    )
  }
}
