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
    touched.formUnion(watchers[slot].toggledBefore.keys)
    touched.formUnion(watchers[slot].selectedBefore.keys)
    if watchers[slot].viewBefore != nil {
      addSurvivors(of: reading, inViewAt: slot, to: &touched)
    } else if watchers[slot].view.rule.levels ?? 0 > 0 {
      // Moving to another depth can expand and collapse by itself.
      touched.formUnion(reading.returnedNodes)
    }
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
    touched.formUnion(reading.returnedNodes)
  }

  private func update(
    of node: NodeID,
    inViewAt slot: Int,
    _ reading: borrowing DeltaReading<Width>
  ) -> ChangeList.Update? {
    guard let (newIndex, row) = listedRow(of: node, inViewAt: slot),
      let oldIndex = reading.index(ofNew: newIndex)
    else { return nil }
    let fields = updatedFields(of: node, row, depthBefore: reading.depth(of: row), inViewAt: slot)
    guard !fields.isEmpty else { return nil }
    return ChangeList.Update(
      index: Int(oldIndex),
      newIndex: Int(newIndex),
      node: node,
      fields: fields
    )
  }

  private func updatedFields(
    of node: NodeID,
    _ row: RowDelta<Width>.Listed,
    depthBefore: Int32,
    inViewAt slot: Int
  ) -> ChangeList.UpdatedFields {
    var fields: ChangeList.UpdatedFields = []
    let now = reading(of: node)
    let before = transaction?.readings[node] ?? now
    if !sameBytes(before.object, now.object) { fields.insert(.object) }
    if before.childState != now.childState { fields.insert(.childState) }
    if before.shownChildCount != now.shownChildCount { fields.insert(.childCount) }
    let isExpanded =
      now.childState != .leaf && watchers[slot].view.isExpanded(node, depth: row.depth)
    let wasExpanded =
      before.childState != .leaf && watchers[slot].wasExpanded(node, depth: depthBefore)
    if wasExpanded != isExpanded { fields.insert(.expanded) }
    let isSelected = watchers[slot].selected.contains(node)
    if watchers[slot].selectedBefore[node] == !isSelected { fields.insert(.selected) }
    if isMatchChanged(of: node, inViewAt: slot) { fields.insert(.matched) }
    return fields
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
