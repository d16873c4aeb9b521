extension SizedTree {
  /// Updates the rows of a filtered or reordered view at the end of a transaction.
  ///
  /// Must be called last in a transaction, before ``changes(of:counting:)`` and the commit. It must
  /// be called for each view that has a filter or another order, or had one when the transaction
  /// began. If ``changesLayers`` is false, only those views need it that operations named. Other
  /// views need no call; for them it sorts the changes once, instead of at each reading. A rollback
  /// may follow, also after an error.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  ///   - matches: Returns true if a node matches the filter, which must depend on its key and
  ///     object only. It is called for nodes made or updated, and for all nodes after a filter was
  ///     set.
  /// - Throws: The error that `count` or `matches` throws. The transaction must be rolled back
  ///   then.
  /// - Complexity: O((*k* + *r*) log² *n*) for *k* nodes touched and *r* rows that came or went;
  ///   O(*n*) after a filter, O(rows) after an order was set.
  @specialized(where Width == Fanout<64>)
  public mutating func updateRows(
    _ id: ViewID,
    counting count: StepCounter,
    matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    let slot = slot(of: id)
    guard let steps = transaction?.inverses.count else {
      preconditionFailure("no transaction is running")
    }
    guard watchers[slot].isLayered else { return watchers[slot].sortDelta() }
    guard transaction?.reach.contains(layeredViewAt: slot) == true,
      var layering = watchers[slot].layering
    else { return }
    if layering.replaced == nil, ordering(layering.ordering)?.isRebuilt == true {
      try replaceRows(at: slot, listing: .max, count)
      layering = watchers[slot].layering ?? layering
    }
    watchers[slot].layering = nil
    defer { watchers[slot].layering = layering }
    if layering.replaced != nil, layering.updatedSteps != steps {
      try rebuild(&layering, at: slot, count, matches)
    } else if layering.updatedSteps != steps {
      precondition(layering.updatedSteps == 0, "rows are updated in the middle of a transaction")
      try follow(&layering, at: slot, count, matches)
      transaction?.recordListed(layering.delta?.listed.count ?? 0)
    }
    layering.updatedSteps = steps
  }

  /// True if the running transaction may have changed the rows of all views with a filter or an
  /// order; false if it concerns only the views that its operations named.
  public var changesLayers: Bool {
    @specialized(where Width == Fanout<64>)
    get { transaction?.reach.hasLayered ?? false }
  }

  /// Returns true if a view's rows contain all changes of the running transaction.
  func hasUpdatedRows(_ slot: Int) -> Bool {
    guard watchers[slot].isLayered, let steps = transaction?.inverses.count,
      transaction?.reach.contains(layeredViewAt: slot) == true
    else { return true }
    return watchers[slot].layering?.updatedSteps == steps
  }

  /// True if the rows of all views contain all changes of the running transaction.
  var hasUpdatedAllRows: Bool {
    guard let reach = transaction?.reach else { return true }
    // Views without a layer have nothing to update.
    return (reach.hasLayered ? layered : reach.slots).allSatisfy { hasUpdatedRows($0) }
  }

  // MARK: Anew

  private func rebuild(
    _ layering: inout Layering<Width>,
    at slot: Int,
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    let (layer, rows) = try makeLayer(layering, at: slot, count, matches)
    layering.layer = layering.isPlain ? nil : layer
    if let before = layering.replaced?.rowsBefore, keepsPreorder(layering) {
      layering.delta = try difference(from: before, to: rows, count)
    } else {
      layering.delta?.insert(at: 0, count: Int32(rows.count))
    }
  }

  /// Makes the layer of a view, and returns it with its rows in pre-order.
  ///
  /// Siblings among those rows are in the order of the view.
  ///
  /// - Throws: The error that `count` or `matches` throws.
  func makeLayer(
    _ layering: Layering<Width>,
    at slot: Int,
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) -> (layer: RowLayer<Width>, rows: [RowDelta<Width>.Listed]) {
    var layer = RowLayer<Width>()
    var rows: [RowDelta<Width>.Listed]
    if layering.isFiltered {
      var filter: RowFilter<Width>
      (filter, rows) = try makeFilter(matches, count, inViewAt: slot)
      filter.rows = try rowSequence(rows, count)
      layer.filter = filter
    } else {
      rows = try allRows(of: watchers[slot].view, count)
    }
    layer.order = layering.order
    layer.ordering = layering.ordering
    if let ordering = ordering(layering.ordering) { rows = try sorted(rows, by: ordering, count) }
    if layering.isReordered {
      let isDepthFirst = layering.order == .depthFirst
      layer.reordered = try rowSequence(isDepthFirst ? rows : breadthFirst(rows, count), count)
    }
    return (layer, rows)
  }

  /// Makes a sequence of rows.
  func rowSequence(
    _ rows: [RowDelta<Width>.Listed],
    _ count: StepCounter
  ) throws(Interruption) -> RowSequence<Width> {
    try Self.completing(count) { pass in RowSequence(rows, passing: pass) }
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
    _ count: StepCounter
  ) throws(Interruption) -> RowDelta<Width> {
    var isRow = [Bool](repeating: false, count: forest.records.count)
    for row in after {
      try count(1)
      isRow[row.node.offset] = true
    }
    return try Self.completing(count) { pass in
      RowDelta(from: before, to: after, passing: pass) { isRow[$0.offset] }
    }
  }

  /// Returns all rows of an expansion.
  ///
  /// - Throws: The error that `count` throws.
  func allRows(
    of view: View<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> [RowDelta<Width>.Listed] {
    var rows: [RowDelta<Width>.Listed] = []
    rows.reserveCapacity(Int(view.rowCount))
    var next: Int32 = 0
    while next < view.rowCount {
      let slice = min(Self.rowsPerCount, view.rowCount - next)
      try count(Int(slice))
      let first = view.place(atRow: next, in: forest, indexes)
      rows += view.listedRows(from: first, count: slice, in: forest)
      next += slice
    }
    return rows
  }

  /// The number of rows that are listed between two calls of `count`.
  private static var rowsPerCount: Int32 { 4_096 }

  /// Makes a filter; returns it without rows, and the members that are rows.
  private func makeFilter(
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool,
    _ count: StepCounter,
    inViewAt slot: Int
  ) throws(Interruption) -> (filter: RowFilter<Width>, rows: [RowDelta<Width>.Listed]) {
    var scan = MemberScan<Width>()
    var next = forest.next(forest.place(at: 0))
    while let place = next {
      let row = RowDelta<Width>.Listed(at: place, in: forest)
      try count(1)
      scan.append(row, isMatched: try matches(self, row.node))
      next = forest.next(place)
    }
    let (members, rows) = try scan.finish(count)
    let filter = RowFilter<Width>(members)
    if Int(watchers[slot].view.rowCount) == forest.nodeCount { return (filter, rows) }
    let shown = try allRows(of: watchers[slot].view, count)
    return (filter, shown.filter { filter.isMember($0.node) })
  }

  /// Puts rows that are given in pre-order into breadth-first order.
  ///
  /// - Complexity: O(*r*).
  func breadthFirst(
    _ rows: [RowDelta<Width>.Listed],
    _ count: StepCounter
  ) throws(Interruption) -> [RowDelta<Width>.Listed] {
    var ordered: [RowDelta<Width>.Listed] = []
    ordered.reserveCapacity(rows.count)
    var levels: [[RowDelta<Width>.Listed]] = []
    for row in rows {
      try count(1)
      let depth = Int(row.depth)
      if depth == 1 {
        for level in levels { ordered += level }
        levels = []
      }
      if depth > levels.count { levels.append([]) }
      levels[depth - 1].append(row)
    }
    for level in levels { ordered += level }
    return ordered
  }

  // MARK: Step by step

  private func follow(
    _ layering: inout Layering<Width>,
    at slot: Int,
    _ count: StepCounter,
    _ matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard var layer = layering.layer else { return }
    layering.layer = nil
    // The layer is stored even after an error, because its edits are needed for the rollback.
    defer { layering.layer = layer }
    var delta = watchers[slot].delta
    if var filter = layer.filter {
      layer.filter = nil
      defer { layer.filter = filter }
      guard let transaction else { preconditionFailure("no transaction is running") }
      try count(transaction.inverses.count / 8)
      var changes = DataChanges<Width>()
      changes.add(transaction, in: forest)
      try updateMembers(of: &filter, changes, &layering.matchedBefore, count, matches)
      delta = try follow(delta, at: slot, &filter, count)
    }
    if var rows = layer.reordered {
      layer.reordered = nil
      defer { layer.reordered = rows }
      delta = try follow(delta, at: slot, layer, &rows, count)
    }
    layering.delta = delta
  }

  /// Updates the rows of a filter after changes of its members and of the rows of the view below
  /// it.
  private func follow(
    _ delta: RowDelta<Width>?,
    at slot: Int,
    _ filter: inout RowFilter<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> RowDelta<Width>? {
    var traffic = RowTraffic<Width>()
    if let delta {
      traffic.left = delta.rowsTakenOut
      traffic.came = try rowsPutIn(delta, at: slot, count).filter { filter.isMember($0) }
    }
    let came = Set(traffic.came)
    for node in filter.changedNodes where forest.isAttached(node) && !came.contains(node) {
      try count(1)
      let place = forest.place(of: node)
      if filter.isMember(node) {
        let isRow =
          watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
          != nil
        if isRow { traffic.came.append(node) }
      } else if traffic.left[node] == nil {
        traffic.left[node] = RowDelta.Listed(at: place, in: forest)
      }
    }
    return try apply(traffic, to: &filter.rows, by: RowRanking(), count)
  }

  /// Returns the nodes of the rows that a delta inserts into the view without its layer.
  private func rowsPutIn(
    _ delta: RowDelta<Width>,
    at slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    var runs: [(first: Int32, count: Int32)] = []
    delta.forEach { run, _, newIndex in
      if run.kind == .inserted { runs.append((newIndex, run.count)) }
    }
    let view = watchers[slot].view
    var nodes: [NodeID] = []
    for run in runs {
      try count(1 + Int(run.count))
      let first = view.place(atRow: run.first, in: forest, indexes)
      nodes += view.listedRows(from: first, count: run.count, in: forest).map(\.node)
    }
    return nodes
  }
}
