// What a filtered or reordered view shows, its layer being given.
extension SizedTree {
  /// What the view shows of a node, visible or not.
  func row(
    at place: Forest<Width>.Place,
    position: Int,
    of layer: RowLayer<Width>,
    inViewAt slot: Int
  ) -> ViewRow {
    var row = watchers[slot].view.row(at: place, position: position, in: forest)
    row.index = layer.rows.index(of: row.node).map { Int($0) }
    if let filter = layer.filter {
      row.isMatched = filter.isMatched(row.node)
      row.visibleDescendantCount =
        row.isExpanded ? members(below: place, filter, inViewAt: slot) : 0
    } else {
      let view = watchers[slot].view
      row.visibleDescendantCount = view.descendants(of: place, in: forest, indexes)
    }
    return row
  }

  /// Consecutive rows, up to `limit` of them.
  func rows(
    from start: Int,
    limit: Int,
    of layer: RowLayer<Width>,
    inViewAt slot: Int
  ) -> [ViewRow] {
    let count = min(limit, Int(layer.rows.count) - start)
    guard count > 0 else { return [] }
    return layer.rows.nodes(from: Int32(start), count: Int32(count)).map { node in
      let place = forest.place(of: node)
      let position = forest.childPosition(of: place)
      return row(at: place, position: position, of: layer, inViewAt: slot)
    }
  }

  /// A range of a node's children, visible or not.
  func children(
    of parent: NodeID,
    _ range: Range<Int>,
    _ layer: RowLayer<Width>,
    inViewAt slot: Int
  ) -> [ViewRow] {
    var rows: [ViewRow] = []
    rows.reserveCapacity(range.count)
    var next: Forest<Width>.Place? = forest.child(range.lowerBound, of: forest.place(of: parent))
    while rows.count < range.count, let place = next {
      let position = range.lowerBound + rows.count
      rows.append(row(at: place, position: position, of: layer, inViewAt: slot))
      next = forest.afterSubtree(place)
    }
    return rows
  }

  /// How many rows an expanded node has, or were it a row would have, below it.
  ///
  /// - Complexity: O(log² *n*) for a row; for a hidden node a walk over what would be rows.
  private func members(
    below place: Forest<Width>.Place,
    _ filter: RowFilter<Width>,
    inViewAt slot: Int
  ) -> Int {
    let node = forest.node(at: place)
    guard filter.hasMembers(below: node) else { return 0 }
    let end = forest.subtreeEnd(place)
    if let index = filter.rows.index(of: node) {
      let behind = filter.rows.firstIndex(from: index + 1) { forest.place(of: $0).position >= end }
      return Int(behind - index - 1)
    }
    var count = 0
    var next = forest.next(place)
    while let current = next, current.position < end {
      let node = forest.node(at: current)
      let isMember = filter.isMember(node)
      if isMember { count += 1 }
      let goesOn = isMember && watchers[slot].view.isExpanded(node, depth: current.depth)
      next = goesOn ? forest.next(current) : forest.afterSubtree(current)
    }
    return count
  }

  /// Recomputes what a layer stores and compares, but for what matches; for tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkLayer(at slot: Int) {
    guard let layer = watchers[slot].layering?.layer else { return }
    var rows = rowNodes(of: watchers[slot].view)
    if let filter = layer.filter {
      filter.rows.checkInvariants()
      check(filter)
      rows = rows.filter { filter.isMember($0) }
      let found = filter.rows.nodes(from: 0, count: filter.rows.count)
      precondition(found == rows, "the rows of a filter are not its members")
    }
    guard let ordered = layer.breadthFirst else { return }
    ordered.checkInvariants()
    let found = ordered.nodes(from: 0, count: ordered.count)
    precondition(found == breadthFirst(rows), "rows are not in breadth-first order")
  }

  private func check(_ filter: RowFilter<Width>) {
    var fresh = RowFilter<Width>()
    for (node, member) in filter.members {
      precondition(forest.isAttached(node), "a member is not in the tree")
      if member.isMatched { fresh.match(node, in: forest) }
    }
    forEachChild(of: .forestRoot) { node in
      fresh.admit(node, in: forest)
      return true
    }
    precondition(fresh.members == filter.members, "members are not matches and their ancestors")
  }
}
