extension View {
  /// What places rows, and where their strings lie.
  ///
  /// Each node's record is read once, one closely behind the other, so that the waits for memory
  /// overlap.
  ///
  /// - Precondition: the runs of rows ascend, and there are so many rows.
  /// - Complexity: O(rows + log *n*), and O(log *d*) for each run that is *d* leaves behind the one
  ///   before; a search for each collapsed subtree that does not end within a leaf.
  func outline(
    of runs: ArraySlice<ChangeList.Placement>,
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

  private func outline(
    from start: Forest<Width>.Place,
    count: Int,
    in forest: borrowing Forest<Width>,
    to rows: inout OutputSpan<OutlinedRow>
  ) {
    let end = rows.count + count
    var place = start
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
    var place = start
    while true {
      let node = entries[place.slot].node
      let record = forest[node]
      rows.append(OutlinedRow(node, record, depth: place.depth))
      guard rows.count < end else { return nil }
      let isPassed = record.childCount > 0 && !isExpanded(node, depth: place.depth)
      guard isPassed || place.slot + 1 == entries.count else {
        place.position += 1
        place.slot += 1
        place.depth += entries[place.slot].step
        continue
      }
      guard let next = isPassed ? forest.afterSubtree(place) : forest.next(place) else {
        preconditionFailure("fewer rows than there are said to be")
      }
      return next
    }
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
    while place.depth > 1, found.count < limit {
      place = forest.parent(of: place)
      guard let index = row(at: place.position, depth: place.depth, in: forest, indexes) else {
        preconditionFailure("what is above a row is one")
      }
      let node = forest.node(at: place)
      found.append((OutlinedRow(node, forest[node], depth: place.depth), Int(index)))
    }
    return found
  }
}
