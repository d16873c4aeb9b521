// Makes the rows of a view with a filter or an order.
extension ViewedForest {
  /// Returns true if the running transaction has a net effect on a view's filter, its order, or the
  /// expansion kept aside.
  func hasLayerChanges(
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
      let placed = rows.map { (position: ordering.position(of: $0.node), row: $0) }
      return placed.sorted { $0.position < $1.position }.map(\.row)
    }
    var places = [Int32](repeating: -1, count: forest.records.count)
    for (place, row) in rows.enumerated() { places[row.node.offset] = Int32(place) }
    var sorted: [RowDelta<Width>.Listed] = []
    sorted.reserveCapacity(rows.count)
    for (number, node) in ordering.nodes.sequence.enumerated() {
      try Forest<Width>.countNodes(from: number, of: forest.nodeCount, count)
      let place = places[node.offset]
      if place >= 0 { sorted.append(rows[Int(place)]) }
    }
    return sorted
  }

  /// The number of nodes that a scan passes in the time of one look-up.
  private static var nodesPerSearch: Int { 16 }

  /// Makes the layer of a view, and returns it with its rows in pre-order.
  ///
  /// Siblings among those rows are in the order of the view.
  ///
  /// - Throws: The error that `count` or `matches` throws.
  func makeLayer(
    _ layering: Layering<Width>,
    at slot: Int,
    _ count: StepCounter,
    _ matches: (NodeID) throws(Interruption) -> Bool
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
    try Interruption.completing(count) { pass in RowSequence(rows, passing: pass) }
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
    _ matches: (NodeID) throws(Interruption) -> Bool,
    _ count: StepCounter,
    inViewAt slot: Int
  ) throws(Interruption) -> (filter: RowFilter<Width>, rows: [RowDelta<Width>.Listed]) {
    var scan = MemberScan<Width>()
    var next = forest.next(forest.place(at: 0))
    while let place = next {
      let row = RowDelta<Width>.Listed(at: place, in: forest)
      try count(1)
      scan.append(row, isMatched: try matches(row.node))
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

  /// Puts the siblings of a view's rows in an order, between transactions.
  mutating func restoreOrdering(_ ordering: OrderingID, in id: ViewID) {
    let slot = slot(of: id)
    var layering = watchers[slot].layering ?? Layering()
    layering.ordering = ordering
    let filter = layering.layer?.filter
    do throws(Interruption) {
      let (layer, _) = try makeLayer(layering, at: slot) { _ in
      } _: { node in
        filter?.isMatched(node) ?? true
      }
      layering.layer = layer
      layering.rowCountBefore = layer.rows.count
    } catch {
      preconditionFailure("nothing stopped the work")
    }
    watchers[slot].layering = layering
    layered.insert(slot)
    countMemory(at: slot)
  }

  /// Removes the orderings that no view uses.
  @discardableResult
  mutating func removeUnusedOrderings() -> [OrderingID] {
    if orderings.isEmpty { return [] }
    var used: Set<OrderingID> = []
    for slot in layered {
      if let id = watchers[slot].layering?.ordering { used.insert(id) }
    }
    let unused = orderings.lazy.map(\.id).filter { !used.contains($0) }
    let removed = Array(unused)
    if !removed.isEmpty { orderings.removeAll { !used.contains($0.id) } }
    return removed
  }

  /// Returns true if the running transaction has a net effect on the expansion of a view.
  func hasExpansionChanges(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> Bool {
    let slot = slot(of: id)
    guard watchers[slot].isTouched else { return false }
    let watcher = watchers[slot]
    try count(watcher.toggledBefore.count)
    let isChanged = watcher.toggledBefore.contains { node, before in
      guard forest.isAttached(node) else { return false }
      let depth = forest.place(of: node).depth
      return watcher.wasExpanded(node, depth: depth)
        != watcher.view.isExpanded(node, depth: depth)
    }
    guard !isChanged, let before = watcher.viewBefore else { return isChanged }
    if before.rule != watcher.view.rule { return true }
    try count(before.toggles.count + watcher.view.toggles.count)
    // Setting a rule forgets toggles without touching the nodes one by one.
    let forgotten = before.toggledNodes.symmetricDifference(watcher.view.toggledNodes)
    return forgotten.contains { watcher.toggledBefore[$0] == nil && forest.isAttached($0) }
  }

  func place(of id: OrderingID) -> Int {
    guard let place = orderings.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("the ordering was removed")
    }
    return place
  }

  /// Returns the ordering with an id; nil for the order of the tree.
  func ordering(_ id: OrderingID?) -> Ordering<Width>? { id.map { orderings[place(of: $0)] } }

  /// Records the deletion of all rows, of which only those at the top level are listed.
  ///
  /// They come back, because nothing hides them. Rows that are alone between two of them are listed
  /// as well, because the entry of a single row contains its key.
  ///
  /// - Complexity: O(*t* log *n*) for *t* nodes at the top level.
  func deleteUnlisted(
    _ rowCount: Int32,
    from delta: inout RowDelta<Width>,
    at slot: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    var tops: [Int32] = []
    var next: Forest<Width>.Place? = forest.next(forest.place(at: 0))
    while let place = next {
      try count(Self.stepsPerTop)
      if let row = shownIndex(of: forest.node(at: place), at: place, inViewAt: slot) {
        tops.append(row)
      }
      next = forest.afterSubtree(place)
    }
    tops.sort()
    var end = rowCount
    for top in tops.reversed() {
      let isAlone = end - top == 2
      let listed = listedRows(from: top, count: isAlone ? 2 : 1, inViewAt: slot)
      let first = top + Int32(listed.count)
      if first < end { delta.delete(at: first, count: end - first, rows: nil) }
      delta.delete(at: top, count: first - top, rows: listed)
      end = top
    }
  }

  /// The approximate number of steps for finding, listing and deleting a row at the top level.
  private static var stepsPerTop: Int { 16 }
}
