// Rows in another order than the tree's. They are updated from the rows in tree order.
extension SizedTree {
  /// Sets the order of siblings among a view's rows.
  ///
  /// - Parameters:
  ///   - ordering: The order; nil for that of the tree.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting. The transaction must be rolled back then.
  /// - Complexity: O(rows).
  @specialized(where Width == Fanout<64>)
  public mutating func setOrdering(
    _ ordering: OrderingID?,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    guard ordering != self.ordering(of: id) else { return }
    let slot = slot(of: id)
    try replaceRows(at: slot, listing: .max, count)
    watchers[slot].layering?.ordering = ordering
    watchers[slot].layering?.delta?.isReordering = true
  }

  /// Returns the order of siblings among a view's rows; nil for that of the tree.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func ordering(of id: ViewID) -> OrderingID? {
    watchers[slot(of: id)].layering?.ordering
  }

  /// Updates reordered rows from the delta of the same rows in tree order, and from the nodes that
  /// their ordering displaced.
  ///
  /// A row that did not move in tree order does not move here either, unless it was displaced.
  func follow(
    _ delta: RowDelta<Width>?,
    at slot: Int,
    _ layer: RowLayer<Width>,
    _ rows: inout RowSequence<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> RowDelta<Width>? {
    let ordering = ordering(layer.ordering)
    let displaced = ordering?.displaced.nodes ?? []
    if delta == nil, displaced.isEmpty { return nil }
    var traffic = RowTraffic<Width>()
    if let delta { traffic = try self.traffic(of: delta, at: slot, layer.filter, count) }
    if !displaced.isEmpty {
      try addRows(atOrBelow: displaced, of: rows, at: slot, layer.filter, to: &traffic, count)
    }
    let ranking = RowRanking(order: layer.order, ordering: ordering)
    return try apply(traffic, to: &rows, by: ranking, count)
  }

  /// Returns the rows that came, went or moved in tree order.
  private func traffic(
    of delta: RowDelta<Width>,
    at slot: Int,
    _ filter: RowFilter<Width>?,
    _ count: StepCounter
  ) throws(Interruption) -> RowTraffic<Width> {
    try count(delta.listed.count)
    let before = delta.rowsTakenOut
    let reading = try DeltaReading(
      delta,
      movers: transaction?.moved,
      counting: count,
      rowsNow: { treeRows(from: $0, count: $1, filter, at: slot) },
      rowNow: { node in
        guard let place = forest.place(ofAttached: node) else { return nil }
        let index = treeRow(at: place, filter, at: slot)
        return index.map { ($0, RowDelta.Listed(at: place, in: forest)) }
      }
    )
    let list = try reading.structuralChanges(counting: count)
    try count(list.deletedNodes.count)
    var traffic = RowTraffic<Width>()
    for node in list.deletedNodes { traffic.left[node] = before[node] }
    for placement in list.placements {
      try count(1 + placement.count)
      let (index, rows) = (Int32(placement.newIndex), Int32(placement.count))
      let nodes = treeRows(from: index, count: rows, filter, at: slot).map(\.node)
      traffic.came += nodes
      if placement.index != nil { for node in nodes { traffic.left[node] = before[node] } }
    }
    return traffic
  }

  /// Records that the rows of nodes, and the rows below them, leave and enter again.
  private func addRows(
    atOrBelow tops: [NodeID],
    of rows: RowSequence<Width>,
    at slot: Int,
    _ filter: RowFilter<Width>?,
    to traffic: inout RowTraffic<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    var came = NodeSet()
    came.insert(traffic.came)
    for top in tops {
      try count(1)
      guard let place = forest.place(ofAttached: top),
        let index = treeRow(at: place, filter, at: slot)
      else { continue }
      let below = treeRows(below: place, filter, at: slot)
      try count(below)
      for row in treeRows(from: index, count: 1 + Int32(below), filter, at: slot) {
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
    at slot: Int
  ) -> Int32? {
    if let filter { return filter.rows.index(of: forest.node(at: place)) }
    return watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
  }

  /// Returns the number of rows below a row.
  private func treeRows(
    below place: Forest<Width>.Place,
    _ filter: RowFilter<Width>?,
    at slot: Int
  ) -> Int {
    guard let filter else { return watchers[slot].view.descendants(of: place, in: forest, indexes) }
    let row = filter.rows.place(of: forest.node(at: place))
    return row.map { filter.rows.descendants(of: $0) } ?? 0
  }

  /// Returns consecutive rows in tree order.
  private func treeRows(
    from index: Int32,
    count: Int32,
    _ filter: RowFilter<Width>?,
    at slot: Int
  ) -> [RowDelta<Width>.Listed] {
    if let filter { return filter.rows.listed(from: index, count: count, in: forest) }
    let view = watchers[slot].view
    let first = view.place(atRow: index, in: forest, indexes)
    return view.listedRows(from: first, count: count, in: forest)
  }

  /// Sorts rows, which are given in tree order, by an ordering.
  ///
  /// - Complexity: O(*n*), or O(*r* log *n*) for *r* rows if they are few.
  func sorted(
    _ rows: [RowDelta<Width>.Listed],
    by ordering: Ordering<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> [RowDelta<Width>.Listed] {
    try count(rows.count)
    if rows.count < forest.nodeCount / Self.nodesPerSearch {
      let positions = rows.map { ordering.position(of: $0.node) }
      return RowOrder.places(of: positions).map { rows[$0] }
    }
    var places = [Int32](repeating: -1, count: forest.records.count)
    for (place, row) in rows.enumerated() { places[row.node.offset] = Int32(place) }
    var sorted: [RowDelta<Width>.Listed] = []
    sorted.reserveCapacity(rows.count)
    for (number, node) in ordering.nodes.sequence.enumerated() {
      try countNodes(from: number, of: forest.nodeCount, count)
      let place = places[node.offset]
      if place >= 0 { sorted.append(rows[Int(place)]) }
    }
    return sorted
  }

  /// The number of nodes that a scan passes in the time of one look-up.
  private static var nodesPerSearch: Int { 16 }
}
