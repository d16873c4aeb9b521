// Rows as readers see them.
extension ViewedForest {
  /// Returns the node of a row.
  func node(atRow index: Int, in id: ViewID) -> NodeID {
    let slot = slot(of: id)
    if let layer = watchers[slot].layering?.layer { return layer.rows.node(at: Int32(index)) }
    return forest.node(at: watchers[slot].view.place(atRow: Int32(index), in: forest, indexes))
  }

  /// Returns a node as a view shows it; the node need not be a row.
  func row(of node: NodeID, in id: ViewID) -> ViewRow {
    let slot = slot(of: id)
    let place = forest.place(of: node)
    if let layer = watchers[slot].layering?.layer {
      let row = row(
        at: place,
        position: position(of: node, layer),
        of: layer,
        inViewAt: slot
      )
      return marked([row], inViewAt: slot)[0]
    }
    let position = forest.childPosition(of: place)
    let row = watchers[slot].view.wholeRow(at: place, position: position, in: forest, indexes)
    return marked([row], inViewAt: slot)[0]
  }

  /// Returns up to `limit` consecutive rows.
  func rows(
    from start: Int,
    limit: Int,
    in id: ViewID,
    isPlaced: Bool = true
  ) -> [ViewRow] {
    let slot = slot(of: id)
    if let layer = watchers[slot].layering?.layer {
      return marked(rows(from: start, limit: limit, of: layer, inViewAt: slot), inViewAt: slot)
    }
    let rows = watchers[slot].view.rows(
      from: start,
      limit: limit,
      isPlaced: isPlaced,
      in: forest,
      indexes
    )
    return marked(rows, inViewAt: slot)
  }

  /// Returns up to `limit` consecutive rows with their parents, depths, keys and objects.
  func outline(from start: Int, limit: Int, in id: ViewID) -> [OutlinedRow] {
    let slot = slot(of: id)
    let count = min(limit, Int(shownRowCount(slot)) - start)
    guard count > 0 else { return [] }
    let run = ChangeList.Placement(newIndex: start, count: count)
    return outline(of: ShortList(run)[...], in: id)
  }

  /// Returns a row; see ``outline(from:limit:in:)``.
  func outline(ofRow index: Int, in id: ViewID) -> OutlinedRow {
    let slot = slot(of: id)
    if watchers[slot].isLayered {
      let row = listedRows(from: Int32(index), count: 1, inViewAt: slot)[0]
      return OutlinedRow(row.node, forest[row.node], depth: row.depth)
    }
    var leaf: Forest<Width>.Sequence.LeafStart?
    let place = watchers[slot].view.place(atRow: Int32(index), from: &leaf, in: forest, indexes)
    let node = forest.node(at: place)
    return OutlinedRow(node, forest[node], depth: place.depth)
  }

  /// Returns the rows of runs; see ``outline(from:limit:in:)``.
  func outline(of runs: ChangeList.Placements, in id: ViewID) -> [OutlinedRow] {
    let slot = slot(of: id)
    guard watchers[slot].isLayered else { return outline(of: runs, inViewAt: slot) }
    return runs.flatMap { run in
      listedRows(from: Int32(run.newIndex), count: Int32(run.count), inViewAt: slot).map {
        OutlinedRow($0.node, forest[$0.node], depth: $0.depth)
      }
    }
  }

  /// Returns the rows of runs of a view without a layer.
  private func outline(of runs: ChangeList.Placements, inViewAt slot: Int) -> [OutlinedRow] {
    // An array that is made with its capacity is not specialized for its elements (Swift 6.3.1).
    var rows: [OutlinedRow] = []
    // Read by index, because iterating over the runs would copy them.
    var count = 0
    for place in runs.startIndex..<runs.endIndex { count += runs[place].count }
    rows.append(addingCapacity: count) { _ in }
    // A local constant, because the closure below would otherwise copy the whole view.
    let expanded = watchers[slot].view.expanded
    var leaf: Forest<Width>.Sequence.LeafStart?
    for place in runs.startIndex..<runs.endIndex where runs[place].count > 0 {
      let (row, count) = (Int32(runs[place].newIndex), runs[place].count)
      let start = watchers[slot].view.place(atRow: row, from: &leaf, in: forest, indexes)
      rows.append(addingCapacity: count) {
        expanded.outline(from: start, count: count, in: forest, to: &$0)
      }
    }
    return rows
  }

  /// Returns up to `limit` ancestors of a row with their indexes, the parent first.
  func ancestors(
    ofRow index: Int,
    atMost limit: Int = .max,
    in id: ViewID
  ) -> [(row: OutlinedRow, index: Int)] {
    let slot = slot(of: id)
    guard let layer = watchers[slot].layering?.layer else {
      return ancestors(ofRow: Int32(index), atMost: limit, inViewAt: slot)
    }
    var found: [(row: OutlinedRow, index: Int)] = []
    var above = forest[layer.rows.node(at: Int32(index))].parent
    while above != .forestRoot, found.count < limit {
      guard let index = layer.rows.index(of: above) else {
        preconditionFailure("what is above a row is one")
      }
      let depth = forest.place(of: above).depth
      found.append((OutlinedRow(above, forest[above], depth: depth), Int(index)))
      above = forest[above].parent
    }
    return found
  }

  /// Returns the ancestors of a row of a view without a layer.
  private func ancestors(
    ofRow index: Int32,
    atMost limit: Int,
    inViewAt slot: Int
  ) -> [(row: OutlinedRow, index: Int)] {
    var found: [(row: OutlinedRow, index: Int)] = []
    found.reserveCapacity(8)
    var leaf: Forest<Width>.Sequence.LeafStart?
    var place = watchers[slot].view.place(atRow: index, from: &leaf, in: forest, indexes)
    var node = forest.node(at: place)
    var depth = place.depth
    // All ancestors are collected before the first is searched, so that the cache misses overlap.
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
      guard let index = shownIndex(of: found[above].row.node, at: place, inViewAt: slot) else {
        preconditionFailure("what is above a row is one")
      }
      found[above].index = Int(index)
    }
    return found
  }

  /// Returns a range of a node's children; they need not be rows.
  func children(
    of parent: NodeID,
    from start: Int,
    limit: Int,
    in id: ViewID
  ) -> [ViewRow] {
    let end = min(start + limit, Int(forest[parent].childCount))
    guard start < end else { return [] }
    let slot = slot(of: id)
    if let layer = watchers[slot].layering?.layer {
      return marked(children(of: parent, start..<end, layer, inViewAt: slot), inViewAt: slot)
    }
    let rows = watchers[slot].view.children(of: parent, start..<end, in: forest, indexes)
    return marked(rows, inViewAt: slot)
  }

  /// Returns rows with their selection, which the view does not know.
  private func marked(_ rows: consuming [ViewRow], inViewAt slot: Int) -> [ViewRow] {
    guard !watchers[slot].selected.isEmpty else { return rows }
    for index in rows.indices {
      rows[index].isSelected = watchers[slot].selected.contains(rows[index].node)
    }
    return rows
  }
}
