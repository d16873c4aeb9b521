extension View {
  /// What places rows, and where their strings lie.
  ///
  /// Each node's record is read once, one closely behind the other, so that the waits for memory
  /// overlap; and the strings begin to be loaded, as the caller mostly goes on to write them.
  ///
  /// - Precondition: the runs of rows ascend, and there are so many rows.
  /// - Complexity: O(rows + log *n*), and O(log *d*) for each run that is *d* leaves behind the one
  ///   before; a search for each collapsed subtree that does not end within a leaf.
  func outline(
    of runs: ChangeList.Placements,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [OutlinedRow] {
    // Made with its capacity at once, an array is not specialized for its elements (6.3.1).
    var rows: [OutlinedRow] = []
    rows.append(addingCapacity: runs.reduce(0) { $0 + $1.count }) { rows in
      var leaf: Forest<Width>.Sequence.LeafStart?
      for run in runs where run.count > 0 {
        let place = place(atRow: Int32(run.newIndex), from: &leaf, in: forest, indexes)
        outline(from: place, count: run.count, in: forest, to: &rows)
      }
    }
    return rows
  }

  /// Whether each entry is a row.
  private var isAllShown: Bool { toggles.isEmpty && rule == .all }

  private func outline(
    from start: Forest<Width>.Place,
    count: Int,
    in forest: borrowing Forest<Width>,
    to rows: inout OutputSpan<OutlinedRow>
  ) {
    let end = rows.count + count
    var place = start
    if isAllShown { forest.prefetchRecords(from: start, count: count) }
    while let next = outlineLeaf(from: place, until: end, in: forest, to: &rows) { place = next }
  }

  /// Appends rows until there are so many, or one that a step within the leaf does not lead to.
  ///
  /// - Returns: where that one is; nil when there are enough.
  private func outlineLeaf(
    from start: Forest<Width>.Place,
    until end: Int,
    in forest: borrowing Forest<Width>,
    to rows: inout OutputSpan<OutlinedRow>
  ) -> Forest<Width>.Place? {
    let entries = forest.sequence.entries(of: start.leaf)
    let isAllShown = isAllShown
    let last = min(entries.count, start.slot &+ end &- rows.count) &- 1
    if !isAllShown { forest.prefetchRecords(from: start, count: last &+ 1 &- start.slot) }
    var depth = start.depth &- entries[start.slot].step
    for slot in start.slot...last {
      let entry = entries[slot]
      let record = forest[entry.node]
      depth &+= entry.step
      rows.append(OutlinedRow(entry.node, record, depth: depth))
      forest.prefetchStrings(of: record)
      if isAllShown || record.childCount == 0 || isExpanded(entry.node, depth: depth) { continue }
      return rows.count < end ? next(start, slot, depth) { forest.afterSubtree($0) } : nil
    }
    return rows.count < end ? next(start, last, depth) { forest.next($0) } : nil
  }

  /// The row behind one that stands in the same leaf as another.
  private func next(
    _ start: Forest<Width>.Place,
    _ slot: Int,
    _ depth: Int32,
    _ following: (Forest<Width>.Place) -> Forest<Width>.Place?
  ) -> Forest<Width>.Place {
    var place = start
    place.slot = slot
    place.position += Int32(slot - start.slot)
    place.depth = depth
    guard let next = following(place) else {
      preconditionFailure("fewer rows than there are said to be")
    }
    return next
  }

  /// The rows above a row, with their indexes, the nearest first, as many as asked for.
  ///
  /// - Complexity: O(log *n*) each.
  func ancestors(
    ofRow index: Int32,
    atMost limit: Int,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [(row: OutlinedRow, index: Int)] {
    var found: [(row: OutlinedRow, index: Int)] = []
    found.reserveCapacity(8)
    var place = place(atRow: index, in: forest, indexes)
    var node = forest.node(at: place)
    var depth = place.depth
    // All are named before the first is looked for, so that the waits for memory overlap.
    while depth > 1, found.count < limit {
      node = forest[node].parent
      depth -= 1
      let row = OutlinedRow(node, forest[node], depth: depth)
      found.append((row, 0))
      forest.sequence.prefetch(ofOwner: node.index)
      forest.keyArena.prefetch(row.key)
    }
    for above in found.indices {
      place = forest.place(ofParent: found[above].row.node, of: place)
      guard let index = row(at: place.position, depth: place.depth, in: forest, indexes) else {
        preconditionFailure("what is above a row is one")
      }
      found[above].index = Int(index)
    }
    return found
  }
}
