extension SizedTree {
  /// The net difference that the running transaction has made to a view's rows so far.
  ///
  /// - Complexity: O((*k* + *d*) log *n*) for *k* runs and *d* nodes listed or touched; after a
  ///   change of rule also O(rows that stayed).
  @specialized(where Width == Fanout<64>)
  public func changes(of id: ViewID) -> ChangeList {
    let slot = slot(of: id)
    let delta = shownDelta(slot) ?? RowDelta(rowCount: watchers[slot].rowCountBefore)
    let reading = DeltaReading(delta) { listedRow(of: $0, inViewAt: slot) }
    var list = reading.structuralChanges()
    for node in touched(inViewAt: slot, reading) {
      if let update = update(of: node, inViewAt: slot, reading) { list.updates.append(update) }
    }
    list.updates.sort { $0.newIndex < $1.newIndex }
    return list
  }

  /// The nodes that may read differently.
  private func touched(
    inViewAt slot: Int,
    _ reading: borrowing DeltaReading<Width>
  ) -> Set<NodeID> {
    guard let transaction else { preconditionFailure("no transaction is running") }
    var touched = Set(transaction.readings.keys)
    touched.formUnion(watchers[slot].expandedBefore.keys)
    if watchers[slot].viewBefore != nil { addSurvivors(of: reading, inViewAt: slot, to: &touched) }
    return touched
  }

  /// After a change of rule every row that stayed may have been expanded or collapsed by it.
  private func addSurvivors(
    of reading: borrowing DeltaReading<Width>,
    inViewAt slot: Int,
    to touched: inout Set<NodeID>
  ) {
    func add(_ newIndex: Int32, _ count: Int32) {
      for row in listedRows(from: newIndex, count: count, inViewAt: slot)
      where forest.childStates[row.node.offset] != .leaf { touched.insert(row.node) }
    }
    reading.forEachRetained { _, newIndex, count in add(newIndex, count) }
    for newIndex in reading.returnedRows { add(newIndex, 1) }
  }

  private func update(
    of node: NodeID,
    inViewAt slot: Int,
    _ reading: borrowing DeltaReading<Width>
  ) -> ChangeList.Update? {
    guard let (newIndex, row) = listedRow(of: node, inViewAt: slot),
      let oldIndex = reading.index(ofNew: newIndex)
    else { return nil }
    var fields: ChangeList.UpdatedFields = []
    let now = self.reading(of: node)
    if let before = transaction?.readings[node] {
      if !sameBytes(before.object, now.object) { fields.insert(.object) }
      if before.childState != now.childState { fields.insert(.childState) }
      if shownChildCount(before) != shownChildCount(now) { fields.insert(.childCount) }
    }
    let isLeaf = now.childState == .leaf
    let isExpanded = !isLeaf && watchers[slot].view.isExpanded(node, depth: row.depth)
    let wasExpanded =
      watchers[slot].expandedBefore[node]
      ?? (watchers[slot].viewBefore?.isExpanded(node, depth: row.depth)).map { !isLeaf && $0 }
    if let wasExpanded, wasExpanded != isExpanded { fields.insert(.expanded) }
    if isMatchChanged(of: node, inViewAt: slot) { fields.insert(.matched) }
    guard !fields.isEmpty else { return nil }
    return ChangeList.Update(
      index: Int(oldIndex),
      newIndex: Int(newIndex),
      node: node,
      fields: fields
    )
  }

  /// Nobody knows how many children a node has before they are supplied.
  private func shownChildCount(_ reading: Reading) -> Int32? {
    switch reading.childState {
    case .leaf, .loaded: reading.childCount
    case .unloaded, .loading, .failed: nil
    }
  }

  func sameBytes(_ left: ByteArena.Slice, _ right: ByteArena.Slice) -> Bool {
    left == right || forest.objectArena.span(left).elementsEqual(forest.objectArena.span(right))
  }

  /// The nodes that the running transaction expanded although nobody supplied their children, as
  /// far as that is still so.
  ///
  /// - Complexity: O(*u* log *n*) for *u* of them.
  @specialized(where Width == Fanout<64>)
  public func expandedUnloaded(in id: ViewID) -> [NodeID] {
    var seen: Set<NodeID> = []
    return watchers[slot(of: id)].expandedUnloaded.filter { node in
      forest.isAttached(node) && isUnloaded(node) && isExpanded(node, in: id)
        && seen.insert(node).inserted
    }
  }
}
