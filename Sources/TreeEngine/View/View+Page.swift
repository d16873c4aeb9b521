extension View {
  /// Returns up to `limit` consecutive rows.
  ///
  /// If `isPlaced` is true, they have positions among siblings, and numbers of visible descendants.
  func rows(
    from start: Int,
    limit: Int,
    isPlaced: Bool,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [ViewRow] {
    let count = min(limit, Int(rowCount) - start)
    guard count > 0 else { return [] }
    guard isPlaced else { return bareRows(from: start, count: count, in: forest, indexes) }
    var page = RowScan<Forest<Width>.Place>(first: start, capacity: count)
    var next: Forest<Width>.Place? = place(atRow: Int32(start), in: forest, indexes)
    while page.rows.count < count, let place = next {
      let node = forest.node(at: place)
      let record = forest[node]
      let position =
        page.position(of: place, parent: record.parent) ?? forest.childPosition(of: place)
      let row = row(of: node, record, depth: place.depth, position: position, in: forest)
      page.append(row, at: place)
      next = nextRow(after: place, of: node, record, in: forest)
    }
    return page.finish { descendants(of: $0, in: forest, indexes) }
  }

  private func bareRows(
    from start: Int,
    count: Int,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [ViewRow] {
    var rows: [ViewRow] = []
    rows.reserveCapacity(count)
    var next: Forest<Width>.Place? = place(atRow: Int32(start), in: forest, indexes)
    while rows.count < count, let place = next {
      let node = forest.node(at: place)
      let record = forest[node]
      var row = row(of: node, record, depth: place.depth, position: 0, in: forest)
      row.index = start + rows.count
      rows.append(row)
      next = nextRow(after: place, of: node, record, in: forest)
    }
    return rows
  }

  /// Returns a range of a node's children, even if the node is collapsed.
  func children(
    of parent: NodeID,
    _ range: Range<Int>,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [ViewRow] {
    var rows: [ViewRow] = []
    rows.reserveCapacity(range.count)
    var next: Forest<Width>.Place? = forest.child(range.lowerBound, of: forest.place(of: parent))
    while rows.count < range.count, let place = next {
      let position = range.lowerBound + rows.count
      rows.append(wholeRow(at: place, position: position, in: forest, indexes))
      next = forest.afterSubtree(place)
    }
    return rows
  }

  /// Returns the row of a node with its index and its number of visible descendants.
  func wholeRow(
    at place: Forest<Width>.Place,
    position: Int,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> ViewRow {
    let node = forest.node(at: place)
    var whole = row(
      of: node,
      forest[node],
      depth: place.depth,
      position: position,
      in: forest
    )
    whole.index = row(at: place.position, depth: place.depth, in: forest, indexes).map { Int($0) }
    whole.visibleDescendantCount = descendants(of: place, in: forest, indexes)
    return whole
  }

  /// Makes the row of a node from its record, without index and number of visible descendants.
  func row(
    of node: NodeID,
    _ record: NodeRecord,
    depth: Int32,
    position: Int,
    in forest: borrowing Forest<Width>
  ) -> ViewRow {
    let state = record.childState
    return ViewRow(
      node: node,
      index: nil,
      depth: Int(depth) - 1,
      parent: record.parent,
      position: position,
      siblingCount: Int(forest[record.parent].childCount),
      isExpanded: state != .leaf && isExpanded(node, depth: depth),
      childState: state,
      childCount: state.shownCount(record.childCount, hint: forest.hints[node]).map { Int($0) },
      visibleDescendantCount: 0
    )
  }

  /// Returns the number of visible descendants of a node.
  ///
  /// For a hidden node, it is the number that there would be if the node were a row.
  ///
  /// - Complexity: O(log *n*).
  func descendants(
    of place: Forest<Width>.Place,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> Int {
    let node = forest.node(at: place)
    guard forest[node].childCount > 0, isExpanded(node, depth: place.depth) else {
      return 0
    }
    let count = entries(
      covered: cover(of: place),
      from: place.position + 1,
      to: forest.subtreeEnd(place),
      in: forest,
      indexes
    )
    return Int(count)
  }

  /// Returns the place of the row after a row.
  func nextRow(
    after place: Forest<Width>.Place,
    in forest: borrowing Forest<Width>
  ) -> Forest<Width>.Place? {
    let node = forest.node(at: place)
    return nextRow(after: place, of: node, forest[node], in: forest)
  }

  /// Returns the place of the row after a row, given its node and record.
  private func nextRow(
    after place: Forest<Width>.Place,
    of node: NodeID,
    _ record: NodeRecord,
    in forest: borrowing Forest<Width>
  ) -> Forest<Width>.Place? {
    let isPassed = record.childCount > 0 && !isExpanded(node, depth: place.depth)
    return isPassed ? forest.afterSubtree(place) : forest.next(place)
  }

  /// Returns consecutive rows, from an index on, as a delta lists them.
  ///
  /// - Complexity: O(`count`), and a search for each row in the worst case.
  func listedRows(
    from index: Int32,
    count: Int32,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [RowDelta<Width>.Listed] {
    listedRows(from: place(atRow: index, in: forest, indexes), count: count, in: forest)
  }

  /// Returns consecutive rows, from a place on, as a delta lists them.
  ///
  /// - Complexity: O(`count`), and a search for each row in the worst case.
  func listedRows(
    from place: Forest<Width>.Place,
    count: Int32,
    in forest: borrowing Forest<Width>
  ) -> [RowDelta<Width>.Listed] {
    var rows: [RowDelta<Width>.Listed] = []
    rows.reserveCapacity(Int(count))
    var next = count > 0 ? place : nil
    while let place = next {
      rows.append(RowDelta.Listed(at: place, in: forest))
      next = rows.count < count ? nextRow(after: place, in: forest) : nil
    }
    return rows
  }
}

extension RowDelta.Listed {
  /// Makes the row of a node as a delta lists it.
  init(at place: Forest<Width>.Place, in forest: borrowing Forest<Width>) {
    node = forest.node(at: place)
    parent = forest[node].parent
    depth = place.depth
  }
}
