extension ViewedForest {
  /// Returns the net difference of a view's rows in a transaction.
  ///
  /// See ``SizedTree/changes(of:counting:)``.
  func changes(
    inViewAt slot: Int,
    _ transaction: Transaction<Width>?,
    _ count: StepCounter
  ) throws(Interruption) -> ChangeList {
    if let list = plainChanges(inViewAt: slot, transaction) { return list }
    guard let readings = transaction?.readings else {
      preconditionFailure("no transaction is running")
    }
    let reading = try reading(inViewAt: slot, transaction, count)
    let isNewFilter = filterBefore(inViewAt: slot) != nil
    let touched = isNewFilter ? nil : try touched(inViewAt: slot, reading, readings.keys, count)
    let wasMatched = watchers[slot].isLayered ? watchers[slot].layering?.wasMatched : nil
    return try changeList(reading, touched, inViewAt: slot, count) { row, now in
      let wasMatched = wasMatched.flatMap { $0(row.node) }
      return shownBefore(row, now, readings[row.node] ?? now, wasMatched, inViewAt: slot)
    }
  }

  /// Returns the changes of a simple transaction; nil if it is not simple.
  ///
  /// It is simple if rows were inserted in at most one place and at most one node was touched, as
  /// by an insertion. Nothing has to be sorted then.
  ///
  /// - Complexity: O(log *n*).
  private func plainChanges(inViewAt slot: Int, _ transaction: Transaction<Width>?) -> ChangeList? {
    guard let read = transaction?.readings.count, read <= 1, let came = rowsCome(inViewAt: slot)
    else { return nil }
    var list = ChangeList()
    if !came.isEmpty {
      let placement = ChangeList.Placement(newIndex: Int(came.lowerBound), count: came.count)
      list.placements.append(placement)
    }
    guard let (node, reading) = transaction?.readings.first,
      let (newIndex, row) = listedRow(of: node, among: nil, inViewAt: slot),
      !came.contains(newIndex)
    else { return list }
    let now = NodeReading(of: node, in: forest)
    let before = shownBefore(row, now, reading, nil, inViewAt: slot)
    let fields = updatedFields(row, now, since: before, inViewAt: slot)
    guard !fields.isEmpty else { return list }
    let index = newIndex < came.lowerBound ? newIndex : newIndex - Int32(came.count)
    list.updates.append(
      ChangeList.Update(index: Int(index), newIndex: Int(newIndex), node: node, fields: fields)
    )
    return list
  }

  /// Returns the range of rows inserted in one place, empty if there are none; nil after other
  /// changes.
  ///
  /// The watcher is accessed by its slot, because a local variable would copy it, and it is large.
  private func rowsCome(inViewAt slot: Int) -> Range<Int32>? {
    guard watchers[slot].hasSplicesOnly, !watchers[slot].hasNewRule,
      watchers[slot].toggledBefore.isEmpty, watchers[slot].selectedBefore.isEmpty
    else { return nil }
    return watchers[slot].splices.rowsCome
  }

  /// Reads the changes of the shown rows in the running transaction.
  private func reading(
    inViewAt slot: Int,
    _ transaction: Transaction<Width>?,
    _ count: StepCounter
  ) throws(Interruption) -> DeltaReading<Width> {
    precondition(hasUpdatedRows(slot, in: transaction), "the rows are not up to date")
    let written = writtenRows(slot)
    let movers = try movers(inViewAt: slot, transaction, count)
    if let splices = shownSplices(slot) {
      let rowCount = shownRowCountBefore(slot)
      return try DeltaReading(splices, rowCount: rowCount, movers: movers, counting: count) {
        listedRows(from: $0, count: $1, inViewAt: slot)
      } rowNow: {
        listedRow(of: $0, among: written, inViewAt: slot)
      }
    }
    let delta = shownDelta(slot) ?? RowDelta(rowCount: shownRowCountBefore(slot))
    return try DeltaReading(delta, movers: movers, counting: count) {
      listedRows(from: $0, count: $1, inViewAt: slot)
    } rowNow: {
      listedRow(of: $0, among: written, inViewAt: slot)
    }
  }

  /// Returns the nodes that may have moved among their siblings.
  ///
  /// These are the nodes that operations moved. In a view with its own ordering, the nodes with a
  /// new object are added.
  private func movers(
    inViewAt slot: Int,
    _ transaction: Transaction<Width>?,
    _ count: StepCounter
  ) throws(Interruption) -> NodeSet? {
    guard var movers = transaction?.moved, hasOrdering(slot), let readings = transaction?.readings
    else { return transaction?.moved }
    for (node, before) in zip(readings.keys.nodes, readings.values) where forest.isAttached(node) {
      try count(1)
      if try !forest.sameBytes(before.object, forest[node].object, count) { movers.insert(node) }
    }
    return movers
  }

  /// Returns the nodes whose rows may need an update entry.
  private func touched(
    inViewAt slot: Int,
    _ reading: borrowing DeltaReading<Width>,
    _ read: NodeSet,
    _ count: StepCounter
  ) throws(Interruption) -> NodeSet {
    var touched = read
    let (toggled, selected) = (watchers[slot].toggledBefore, watchers[slot].selectedBefore)
    try count(toggled.count + selected.count)
    if !toggled.isEmpty { touched.insert(toggled.keys) }
    if !selected.isEmpty { touched.insert(selected.keys) }
    if watchers[slot].isLayered { touched.insert(matchedBefore(inViewAt: slot).keys) }
    let isNewRule = watchers[slot].hasNewRule
    try addReexpanded(of: reading, isNewRule: isNewRule, inViewAt: slot, to: &touched, count)
    return touched
  }

  private func shownBefore(
    _ row: RowDelta<Width>.Listed,
    _ now: NodeReading,
    _ before: NodeReading,
    _ wasMatched: Bool?,
    inViewAt slot: Int
  ) -> ShownBefore {
    let (node, depth) = (row.node, row.depth)
    let isSelected = watchers[slot].selected.contains(node)
    return ShownBefore(
      isObjectChanged: !forest.sameBytes(before.object, now.object),
      childState: before.childState,
      childCount: before.shownChildCount,
      isExpanded: before.childState != .leaf && watchers[slot].wasExpanded(node, depth: depth),
      isSelected: watchers[slot].selectedBefore[node] ?? isSelected,
      isMatched: wasMatched
    )
  }

  // MARK: Of a transaction and of several commits alike

  /// Adds the nodes whose expansion may have changed without a toggle.
  func addReexpanded(
    of reading: borrowing DeltaReading<Width>,
    isNewRule: Bool,
    inViewAt slot: Int,
    to touched: inout NodeSet,
    _ count: StepCounter
  ) throws(Interruption) {
    // A move to another depth can expand or collapse a node by itself.
    if isNewRule || watchers[slot].view.rule.levels ?? 0 > 0 {
      try count(reading.returned.count)
      touched.insert(reading.returnedNodes)
    }
    guard isNewRule else { return }
    try reading.forEachRetained(counting: count) { _, newIndex, count in
      let rows = listedRows(from: newIndex, count: count, inViewAt: slot)
      touched.insert(rows.map(\.node).filter { forest[$0].childState != .leaf })
    }
  }

  /// Returns the structural changes, and the updates of touched nodes.
  ///
  /// - Parameters:
  ///   - reading: The changes of the rows.
  ///   - touched: The nodes that may need an update; nil for all.
  ///   - slot: The slot of the view.
  ///   - count: Counts the steps.
  ///   - before: Returns the former state of a row, given the row with its former depth and the
  ///     current reading of its node.
  /// - Returns: The whole list.
  /// - Throws: The error that `count` throws.
  func changeList(
    _ reading: borrowing DeltaReading<Width>,
    _ touched: NodeSet?,
    inViewAt slot: Int,
    _ count: StepCounter,
    before: (RowDelta<Width>.Listed, _ now: NodeReading) -> ShownBefore
  ) throws(Interruption) -> ChangeList {
    let filter = filter(inViewAt: slot)
    func update(
      _ row: RowDelta<Width>.Listed,
      at newIndex: Int32,
      from index: Int32,
      depth: Int32
    ) -> ChangeList.Update? {
      let now = NodeReading(of: row.node, in: forest)
      var old = row
      old.depth = depth
      let shown = before(old, now)
      var fields = updatedFields(row, now, since: shown, inViewAt: slot)
      if shown.isMatched != filter?.isMatched(row.node) { fields.insert(.matched) }
      guard !fields.isEmpty else { return nil }
      return ChangeList.Update(
        index: Int(index),
        newIndex: Int(newIndex),
        node: row.node,
        fields: fields
      )
    }
    var list = try reading.structuralChanges(counting: count)
    let nodes = touched?.nodes ?? Array(reading.returnedNodes)
    var stretch = 0
    for (newIndex, row) in try shownRows(of: nodes, inViewAt: slot, count) {
      try count(1)
      guard let (index, depth) = reading.before(row, at: newIndex, in: &stretch),
        let update = update(row, at: newIndex, from: index, depth: depth)
      else { continue }
      list.updates.append(update)
    }
    guard touched == nil else { return list }
    try reading.forEachRetained(counting: count) { index, newIndex, count in
      let rows = listedRows(from: newIndex, count: count, inViewAt: slot)
      for (offset, row) in zip(Int32(0)..., rows) {
        let update = update(row, at: newIndex + offset, from: index + offset, depth: row.depth)
        if let update { list.updates.append(update) }
      }
    }
    list.updates.sort { $0.newIndex < $1.newIndex }
    return list
  }

  /// Returns the rows of those nodes that have one, in order.
  ///
  /// - Complexity: O(*d* log *n*) for *d* nodes.
  private func shownRows(
    of nodes: [NodeID],
    inViewAt slot: Int,
    _ count: StepCounter
  ) throws(Interruption) -> [(index: Int32, row: RowDelta<Width>.Listed)] {
    let written = writtenRows(slot)
    var rows: [(index: Int32, row: RowDelta<Width>.Listed)] = []
    for node in nodes {
      try count(2)
      if let row = listedRow(of: node, among: written, inViewAt: slot) { rows.append(row) }
    }
    if rows.count > 1 { rows.sort { $0.index < $1.index } }
    return rows
  }

  private func updatedFields(
    _ row: RowDelta<Width>.Listed,
    _ now: NodeReading,
    since before: ShownBefore,
    inViewAt slot: Int
  ) -> ChangeList.UpdatedFields {
    let node = row.node
    let isExpanded =
      now.childState != .leaf && watchers[slot].view.isExpanded(node, depth: row.depth)
    var fields: ChangeList.UpdatedFields = before.isObjectChanged ? .object : []
    if before.childState != now.childState { fields.insert(.childState) }
    if before.childCount != now.shownChildCount { fields.insert(.childCount) }
    if before.isExpanded != isExpanded { fields.insert(.expanded) }
    if before.isSelected != watchers[slot].selected.contains(node) { fields.insert(.selected) }
    return fields
  }
}
