// The rows that were deleted and are rows again.
extension DeltaReading {
  /// Divides the rows in ``removed`` into ``returned`` and ``gone``.
  ///
  /// - Throws: The error that `count` throws.
  mutating func resolveReturns(
    _ count: StepCounter,
    _ rowsNow: RowsNow,
    _ rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) throws(Interruption) {
    let rowCount = stretches.reduce(0) { $1.isInserted ? $0 + Int($1.count) : $0 }
    let areLong = rowCount >= 8 * insertedCount && insertedCount > 0
    if areLong, rowCount <= 2 * removed.count {
      try askInserted(count, rowsNow)
    } else {
      try askRemoved(count, rowNow)
    }
  }

  /// Looks up the present place of each deleted row.
  private mutating func askRemoved(
    _ count: StepCounter,
    _ rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) throws(Interruption) {
    for (index, row, gap) in removed {
      try count(2)
      guard insertedCount > 0, let now = rowNow(row.node) else {
        gone.append((index, row.node))
        continue
      }
      add((index, row, gap), now: now.row, at: now.index, in: stretch(at: now.index))
    }
    returned.sort { $0.newIndex < $1.newIndex }
  }

  /// Looks up each inserted row among the deleted ones.
  ///
  /// For long stretches this is less work.
  private mutating func askInserted(
    _ count: StepCounter,
    _ rowsNow: RowsNow
  ) throws(Interruption) {
    try count(removed.count)
    var nodes = NodeSet()
    nodes.insert(removed.lazy.map(\.row.node))
    var isBack = Array(repeating: false, count: removed.count)
    returned.reserveCapacity(removed.count)
    for stretch in stretches where stretch.isInserted {
      try count(2 * Int(stretch.count))
      for (offset, now) in rowsNow(stretch.newIndex, stretch.count).enumerated() {
        guard let place = nodes.place(of: now.node) else { continue }
        isBack[place] = true
        add(removed[place], now: now, at: stretch.newIndex + Int32(offset), in: stretch)
      }
    }
    for (place, (index, row, _)) in removed.enumerated() where !isBack[place] {
      gone.append((index, row.node))
    }
  }

  private mutating func add(
    _ before: (index: Int32, row: Listed, gap: Int32),
    now: Listed,
    at newIndex: Int32,
    in target: Stretch
  ) {
    let isSame = now == before.row
    returned.append(
      ReturnedRow(
        index: before.index,
        newIndex: newIndex,
        node: now.node,
        parent: now.parent,
        depthBefore: before.row.depth,
        gap: isSame && target.gap == before.gap ? before.gap : nil,
        isSame: isSame
      )
    )
  }
}
