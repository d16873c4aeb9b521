// What a filtered or reordered view shows, its layer being given.
extension SizedTree {
  /// Returns a node as a view with a layer shows it; the node need not be a row.
  ///
  /// `position` is the index among all siblings. It is not evaluated if the filter's rows tell it.
  func row(
    at place: Forest<Width>.Place,
    position: @autoclosure () -> Int,
    of layer: RowLayer<Width>,
    inViewAt slot: Int
  ) -> ViewRow {
    let node = forest.node(at: place)
    let view = watchers[slot].view
    var row: ViewRow
    if let filter = layer.filter, let standing = filter.rows.place(of: node) {
      let position = filter.rows.position(of: standing)
      row = self.row(at: standing, position: position, of: filter, in: view)
      row.siblingCount = filter.siblingCount(of: node, in: forest)
      row.visibleDescendantCount = filter.rows.descendants(of: standing)
      row.index = Int(standing.index)
    } else {
      row = view.row(of: node, forest[node], depth: place.depth, position: position(), in: forest)
      row.isMatched = layer.filter?.isMatched(node)
      row.visibleDescendantCount =
        layer.filter.map { members(below: place, $0, inViewAt: slot) }
        ?? view.descendants(of: place, in: forest, indexes)
    }
    if let ordered = layer.breadthFirst { row.index = ordered.index(of: node).map { Int($0) } }
    return row
  }

  /// Returns a row of a filter without its index, descendants and number of siblings.
  private func row(
    at place: RowSequence<Width>.Place,
    position: Int,
    of filter: RowFilter<Width>,
    in view: View<Width>
  ) -> ViewRow {
    let node = filter.rows.node(at: place)
    var row = view.row(of: node, forest[node], depth: place.depth, position: position, in: forest)
    row.isMatched = filter.isMatched(node)
    return row
  }

  /// Returns up to `limit` consecutive rows of a layer.
  func rows(
    from start: Int,
    limit: Int,
    of layer: RowLayer<Width>,
    inViewAt slot: Int
  ) -> [ViewRow] {
    let count = min(limit, Int(layer.rows.count) - start)
    guard count > 0 else { return [] }
    if let filter = layer.filter, layer.breadthFirst == nil {
      return rows(from: start, count: count, of: filter, in: watchers[slot].view)
    }
    return layer.rows.nodes(from: Int32(start), count: Int32(count)).map { node in
      let place = forest.place(of: node)
      return row(at: place, position: forest.childPosition(of: place), of: layer, inViewAt: slot)
    }
  }

  /// Returns consecutive rows of a filter in pre-order.
  private func rows(
    from start: Int,
    count: Int,
    of filter: RowFilter<Width>,
    in view: View<Width>
  ) -> [ViewRow] {
    let rows = filter.rows
    var page = RowScan<RowSequence<Width>.Place>(first: start, capacity: count)
    var next: RowSequence<Width>.Place? = rows.place(at: Int32(start))
    while page.rows.count < count, let place = next {
      let node = rows.node(at: place)
      let parent = forest[node].parent
      let position = page.position(of: place, parent: parent) ?? rows.position(of: place)
      var row = row(at: place, position: position, of: filter, in: view)
      row.siblingCount =
        page.rows.last.flatMap { $0.parent == parent ? $0.siblingCount : nil }
        ?? filter.siblingCount(of: node, in: forest)
      page.append(row, at: place)
      next = rows.next(place)
    }
    return page.finish { rows.descendants(of: $0) }
  }

  /// Returns a range of a node's children; they need not be rows.
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

  /// Returns the number of rows that a hidden node would have below it if it were a row.
  ///
  /// - Complexity: O(*c* log *n*) for *c* children of the node and of those rows.
  private func members(
    below place: Forest<Width>.Place,
    _ filter: RowFilter<Width>,
    inViewAt slot: Int
  ) -> Int {
    let node = forest.node(at: place)
    let view = watchers[slot].view
    guard filter.hasMembers(below: node), view.isExpanded(node, depth: place.depth) else {
      return 0
    }
    let end = forest.subtreeEnd(place)
    var count = 0
    var next = forest.next(place)
    while let current = next, current.position < end {
      let node = forest.node(at: current)
      let isMember = filter.isMember(node)
      if isMember { count += 1 }
      let goesOn = isMember && view.isExpanded(node, depth: current.depth)
      next = goesOn ? forest.next(current) : forest.afterSubtree(current)
    }
    return count
  }

  /// Recomputes what a layer stores and compares it, except for the matches.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkLayer(at slot: Int) {
    guard let layer = watchers[slot].layering?.layer else { return }
    let view = watchers[slot].view
    var rows: [RowDelta<Width>.Listed] = []
    if view.rowCount > 0 {
      let first = view.place(atRow: 0, in: forest, indexes)
      rows = view.listedRows(from: first, count: view.rowCount, in: forest)
    }
    if let filter = layer.filter {
      filter.rows.checkInvariants { forest.place(of: $0).depth }
      check(filter)
      rows = rows.filter { filter.isMember($0.node) }
      let found = filter.rows.nodes(from: 0, count: filter.rows.count)
      precondition(found == rows.map(\.node), "the rows of a filter are not its members")
    }
    guard let ordered = layer.breadthFirst else { return }
    ordered.checkInvariants { forest.place(of: $0).depth }
    let found = ordered.nodes(from: 0, count: ordered.count)
    let expected = breadthFirst(rows).map(\.node)
    precondition(found == expected, "rows are not in breadth-first order")
  }

  private func check(_ filter: RowFilter<Width>) {
    var fresh = RowFilter<Width>()
    filter.members.forEach { node, member in
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
