// Reads rows and children of a view that has a layer: a filter or another order.
extension ViewedForest {
  /// Returns a node as a view with a layer shows it; the node need not be a row.
  ///
  /// `position` is the index among all siblings. It is evaluated only if the node is not found in
  /// rows in pre-order.
  func row(
    at place: Forest<Width>.Place,
    position: @autoclosure () -> Int,
    of layer: RowLayer<Width>,
    inViewAt slot: Int
  ) -> ViewRow {
    let node = forest.node(at: place)
    let view = watchers[slot].view
    var row: ViewRow
    if let rows = layer.preorder ?? layer.filter?.rows, let place = rows.place(of: node) {
      let position = self.position(of: node, at: place, among: rows, layer)
      row = self.row(at: place, position: position, of: rows, layer, in: view)
      row.siblingCount = siblingCount(of: node, layer)
      row.visibleDescendantCount = rows.descendants(of: place)
      row.index = Int(place.index)
    } else {
      row = view.row(of: node, forest[node], depth: place.depth, position: position(), in: forest)
      row.isMatched = layer.filter?.isMatched(node)
      row.visibleDescendantCount =
        layer.filter.map { members(below: place, $0, inViewAt: slot) }
        ?? view.descendants(of: place, in: forest, indexes)
    }
    if layer.order == .breadthFirst, let rows = layer.reordered {
      row.index = rows.index(of: node).map { Int($0) }
    }
    return row
  }

  /// Returns the number of siblings before a node, including those that are not rows.
  ///
  /// - Complexity: O(log *n*).
  func position(of node: NodeID, _ layer: RowLayer<Width>) -> Int {
    guard let ordering = ordering(layer.ordering) else {
      return forest.childPosition(of: forest.place(of: node))
    }
    return ordering.childPosition(of: node)
  }

  /// Returns the number of siblings before a row that are rows, too.
  private func position(
    of node: NodeID,
    at place: RowSequence<Width>.Place,
    among rows: RowSequence<Width>,
    _ layer: RowLayer<Width>
  ) -> Int {
    guard layer.order == .breadthFirst, let ordering = ordering(layer.ordering),
      let shown = layer.reordered, let index = shown.index(of: node)
    else { return rows.position(of: place) }
    // All nodes of the top level are rows, each followed by what is below it.
    if forest[node].parent == .forestRoot { return ordering.childPosition(of: node) }
    // Siblings are adjacent. Before the first one are all rows of the same depth whose parents
    // come before its parent.
    let ranking = RowRanking(order: .breadthFirst, ordering: ordering)
    var first = ranking.place(of: node, in: forest)
    first.position = ordering.position(of: forest[node].parent)
    return Int(index - shown.firstIndex { ranking.place(of: $0, in: forest) > first })
  }

  /// Returns the number of siblings of a row that are rows, including itself.
  private func siblingCount(of node: NodeID, _ layer: RowLayer<Width>) -> Int {
    layer.filter.map { $0.siblingCount(of: node, in: forest) }
      ?? Int(forest[forest[node].parent].childCount)
  }

  /// Returns a row without its index, its number of descendants and its number of siblings.
  private func row(
    at place: RowSequence<Width>.Place,
    position: Int,
    of rows: RowSequence<Width>,
    _ layer: RowLayer<Width>,
    in view: View<Width>
  ) -> ViewRow {
    let node = rows.node(at: place)
    var row = view.row(of: node, forest[node], depth: place.depth, position: position, in: forest)
    row.isMatched = layer.filter?.isMatched(node)
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
    if let rows = layer.preorder {
      return self.rows(from: start, count: count, of: rows, layer, in: watchers[slot].view)
    }
    return layer.rows.nodes(from: Int32(start), count: Int32(count)).map { node in
      let place = forest.place(of: node)
      return row(at: place, position: position(of: node, layer), of: layer, inViewAt: slot)
    }
  }

  /// Returns consecutive rows of a layer in pre-order.
  private func rows(
    from start: Int,
    count: Int,
    of rows: RowSequence<Width>,
    _ layer: RowLayer<Width>,
    in view: View<Width>
  ) -> [ViewRow] {
    var page = RowScan<RowSequence<Width>.Place>(first: start, capacity: count)
    var next: RowSequence<Width>.Place? = rows.place(at: Int32(start))
    while page.rows.count < count, let place = next {
      let node = rows.node(at: place)
      let parent = forest[node].parent
      let position = page.position(of: place, parent: parent) ?? rows.position(of: place)
      var row = row(at: place, position: position, of: rows, layer, in: view)
      row.siblingCount =
        page.rows.last.flatMap { $0.parent == parent ? $0.siblingCount : nil }
        ?? siblingCount(of: node, layer)
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
    let nodes = ordering(layer.ordering).map { ordering in
      ordering.nodes.read { Self.children(of: parent, range, $0) }
    }
    let children = nodes ?? Self.children(of: parent, range, forest)
    return zip(range, children).map { position, node in
      row(at: forest.place(of: node), position: position, of: layer, inViewAt: slot)
    }
  }

  private static func children(
    of parent: NodeID,
    _ range: Range<Int>,
    _ forest: borrowing Forest<Width>
  ) -> [NodeID] {
    var nodes: [NodeID] = []
    nodes.reserveCapacity(range.count)
    var next: Forest<Width>.Place? = forest.child(range.lowerBound, of: forest.place(of: parent))
    while nodes.count < range.count, let place = next {
      nodes.append(forest.node(at: place))
      next = forest.afterSubtree(place)
    }
    return nodes
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
}
