// Rows in another order than the tree's. They are updated from the rows in tree order.
extension LayerUpkeep {
  /// Updates reordered rows from the delta of the same rows in tree order, and from the nodes that
  /// their ordering displaced.
  ///
  /// A row that did not move in tree order does not move here either, unless it was displaced.
  func follow(
    _ delta: RowDelta<Width>?,
    in base: borrowing ViewedForest<Width>,
    _ layer: RowLayer<Width>,
    _ rows: inout RowSequence<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> RowDelta<Width>? {
    let ordering = base.ordering(layer.ordering)
    let displaced = ordering?.displaced.nodes ?? []
    if delta == nil, displaced.isEmpty { return nil }
    var traffic = RowTraffic<Width>()
    if let delta { traffic = try self.traffic(of: delta, in: base, layer.filter, count) }
    if !displaced.isEmpty {
      try addRows(atOrBelow: displaced, of: rows, in: base, layer.filter, to: &traffic, count)
    }
    let ranking = RowRanking(order: layer.order, ordering: ordering)
    return try traffic.apply(to: &rows, by: ranking, in: base.forest, count)
  }

  /// Returns the rows that came, went or moved in tree order.
  private func traffic(
    of delta: RowDelta<Width>,
    in base: borrowing ViewedForest<Width>,
    _ filter: RowFilter<Width>?,
    _ count: StepCounter
  ) throws(Interruption) -> RowTraffic<Width> {
    try count(delta.listed.count)
    let before = delta.rowsTakenOut
    let reading = try DeltaReading(
      delta,
      movers: transaction?.moved,
      counting: count,
      rowsNow: { treeRows(from: $0, count: $1, filter, in: base) },
      rowNow: { node in
        guard let place = base.forest.place(ofAttached: node) else { return nil }
        let index = treeRow(at: place, filter, in: base)
        return index.map { ($0, RowDelta.Listed(at: place, in: base.forest)) }
      }
    )
    let list = try reading.structuralChanges(counting: count)
    try count(list.deletedNodes.count)
    var traffic = RowTraffic<Width>()
    for node in list.deletedNodes { traffic.left[node] = before[node] }
    for placement in list.placements {
      try count(1 + placement.count)
      let (index, rows) = (Int32(placement.newIndex), Int32(placement.count))
      let nodes = treeRows(from: index, count: rows, filter, in: base).map(\.node)
      traffic.came += nodes
      if placement.index != nil { for node in nodes { traffic.left[node] = before[node] } }
    }
    return traffic
  }

  /// Records that the rows of nodes, and the rows below them, leave and enter again.
  private func addRows(
    atOrBelow tops: [NodeID],
    of rows: RowSequence<Width>,
    in base: borrowing ViewedForest<Width>,
    _ filter: RowFilter<Width>?,
    to traffic: inout RowTraffic<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    var came = NodeSet()
    came.insert(traffic.came)
    for top in tops {
      try count(1)
      guard let place = base.forest.place(ofAttached: top),
        let index = treeRow(at: place, filter, in: base)
      else { continue }
      let below = treeRows(below: place, filter, in: base)
      try count(below)
      for row in treeRows(from: index, count: 1 + Int32(below), filter, in: base) {
        if traffic.left[row.node] == nil, rows.contains(row.node) { traffic.left[row.node] = row }
        came.insert(row.node)
      }
    }
    traffic.came = came.nodes
  }

  // MARK: Rows in tree order

  /// Returns the index of a node's row in tree order; nil if it has none.
  private func treeRow(
    at place: Forest<Width>.Place,
    _ filter: RowFilter<Width>?,
    in base: borrowing ViewedForest<Width>
  ) -> Int32? {
    if let filter { return filter.rows.index(of: base.forest.node(at: place)) }
    return base.watchers[slot].view.row(
      at: place.position,
      depth: place.depth,
      in: base.forest,
      base.indexes
    )
  }

  /// Returns the number of rows below a row.
  private func treeRows(
    below place: Forest<Width>.Place,
    _ filter: RowFilter<Width>?,
    in base: borrowing ViewedForest<Width>
  ) -> Int {
    guard let filter else {
      return base.watchers[slot].view.descendants(of: place, in: base.forest, base.indexes)
    }
    let row = filter.rows.place(of: base.forest.node(at: place))
    return row.map { filter.rows.descendants(of: $0) } ?? 0
  }

  /// Returns consecutive rows in tree order.
  private func treeRows(
    from index: Int32,
    count: Int32,
    _ filter: RowFilter<Width>?,
    in base: borrowing ViewedForest<Width>
  ) -> [RowDelta<Width>.Listed] {
    if let filter { return filter.rows.listed(from: index, count: count, in: base.forest) }
    let view = base.watchers[slot].view
    let first = view.place(atRow: index, in: base.forest, base.indexes)
    return view.listedRows(from: first, count: count, in: base.forest)
  }
}
