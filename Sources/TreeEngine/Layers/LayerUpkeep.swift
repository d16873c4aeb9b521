/// Updates the rows of a view with a filter or an order after changes of the data.
struct LayerUpkeep<Width: NodeWidth> {
  typealias StepCounter = SizedTree<Width>.StepCounter
  typealias PauseCounter = SizedTree<Width>.PauseCounter

  /// The slot of the view.
  let slot: Int
  /// The running transaction.
  let transaction: Transaction<Width>?

  /// Updates the layer of the view at the end of the transaction.
  ///
  /// - Throws: The error that `count` or `matches` throws.
  func update(
    _ layering: inout Layering<Width>,
    in base: borrowing ViewedForest<Width>,
    _ count: StepCounter,
    _ matches: (NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    if layering.replaced != nil {
      try rebuild(&layering, in: base, count, matches)
    } else {
      precondition(layering.updatedSteps == 0, "rows are updated in the middle of a transaction")
      try follow(&layering, in: base, count, matches)
    }
    layering.updatedSteps = transaction?.inverses.count ?? 0
  }

  // MARK: Anew

  /// Makes the layer anew.
  private func rebuild(
    _ layering: inout Layering<Width>,
    in base: borrowing ViewedForest<Width>,
    _ count: StepCounter,
    _ matches: (NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    let (layer, rows) = try base.makeLayer(layering, at: slot, count, matches)
    layering.layer = layering.isPlain ? nil : layer
    if let before = layering.replaced?.rowsBefore, keepsPreorder(layering) {
      layering.delta = try difference(from: before, to: rows, of: base.forest, count)
    } else {
      layering.delta?.insert(at: 0, count: Int32(rows.count))
    }
  }

  /// Returns true if nodes that are rows before and after the transaction keep their order.
  private func keepsPreorder(_ layering: Layering<Width>) -> Bool {
    guard transaction?.reach.isEveryView == false else { return false }
    return layering.order == .depthFirst && layering.replaced?.order == .depthFirst
      && layering.ordering == layering.replaced?.ordering
  }

  /// Returns the difference between two lists of rows in the pre-order of the same forest.
  private func difference(
    from before: [RowDelta<Width>.Listed],
    to after: [RowDelta<Width>.Listed],
    of forest: borrowing Forest<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> RowDelta<Width> {
    var isRow = [Bool](repeating: false, count: forest.records.count)
    for row in after {
      try count(1)
      isRow[row.node.offset] = true
    }
    return try Interruption.completing(count) { pass in
      RowDelta(from: before, to: after, passing: pass) { isRow[$0.offset] }
    }
  }

  // MARK: Step by step

  /// Updates the layer after the steps of the transaction.
  private func follow(
    _ layering: inout Layering<Width>,
    in base: borrowing ViewedForest<Width>,
    _ count: StepCounter,
    _ matches: (NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard var layer = layering.layer else { return }
    layering.layer = nil
    // The layer is stored even after an error, because its edits are needed for the rollback.
    defer { layering.layer = layer }
    var delta = base.watchers[slot].delta
    if var filter = layer.filter {
      layer.filter = nil
      defer { layer.filter = filter }
      guard let transaction else { preconditionFailure("no transaction is running") }
      try count(transaction.inverses.count / 8)
      var changes = DataChanges<Width>()
      changes.add(transaction, in: base.forest)
      try filter.update(
        after: changes,
        in: base.forest,
        recording: &layering.matchedBefore,
        count,
        matches
      )
      delta = try follow(delta, in: base, &filter, count)
    }
    if var rows = layer.reordered {
      layer.reordered = nil
      defer { layer.reordered = rows }
      delta = try follow(delta, in: base, layer, &rows, count)
    }
    layering.delta = delta
  }

  /// Updates the rows of a filter after changes of its members and of the rows of the view below
  /// it.
  private func follow(
    _ delta: RowDelta<Width>?,
    in base: borrowing ViewedForest<Width>,
    _ filter: inout RowFilter<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> RowDelta<Width>? {
    var traffic = RowTraffic<Width>()
    if let delta {
      traffic.left = delta.rowsTakenOut
      traffic.came = try rowsPutIn(delta, in: base, count).filter { filter.isMember($0) }
    }
    let came = Set(traffic.came)
    for node in filter.changedNodes where base.forest.isAttached(node) && !came.contains(node) {
      try count(1)
      let place = base.forest.place(of: node)
      if filter.isMember(node) {
        let isRow =
          base.watchers[slot].view.row(
            at: place.position,
            depth: place.depth,
            in: base.forest,
            base.indexes
          )
          != nil
        if isRow { traffic.came.append(node) }
      } else if traffic.left[node] == nil {
        traffic.left[node] = RowDelta.Listed(at: place, in: base.forest)
      }
    }
    return try traffic.apply(to: &filter.rows, by: RowRanking(), in: base.forest, count)
  }

  /// Returns the nodes of the rows that a delta inserts into the view without its layer.
  private func rowsPutIn(
    _ delta: RowDelta<Width>,
    in base: borrowing ViewedForest<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    var runs: [(first: Int32, count: Int32)] = []
    delta.forEach { run, _, newIndex in
      if run.kind == .inserted { runs.append((newIndex, run.count)) }
    }
    let view = base.watchers[slot].view
    var nodes: [NodeID] = []
    for run in runs {
      try count(1 + Int(run.count))
      let first = view.place(atRow: run.first, in: base.forest, base.indexes)
      nodes += view.listedRows(from: first, count: run.count, in: base.forest).map(\.node)
    }
    return nodes
  }
}
