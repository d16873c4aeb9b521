extension Tree {
  /// How many rows a view has.
  ///
  /// - Complexity: O(1).
  public func rowCount(of id: ViewID) -> Int { Int(watchers[slot(of: id)].view.rowCount) }

  /// The index of a node's row, or nil while it is hidden.
  ///
  /// - Complexity: O(log *n*).
  public func rowIndex(of node: NodeID, in id: ViewID) -> Int? {
    let slot = slot(of: id)
    return watchers[slot].view.row(of: forest.place(of: node), in: forest, indexes).map { Int($0) }
  }

  /// The node of a row.
  ///
  /// - Precondition: `index` is below the row count.
  /// - Complexity: O(log *n*).
  public func node(atRow index: Int, in id: ViewID) -> NodeID {
    let slot = slot(of: id)
    return forest.node(at: watchers[slot].view.place(atRow: Int32(index), in: forest, indexes))
  }

  /// What a view shows of a node, visible or not.
  ///
  /// - Complexity: O(log *n*).
  public func row(of node: NodeID, in id: ViewID) -> ViewRow {
    let slot = slot(of: id)
    let place = forest.place(of: node)
    let index = watchers[slot].view.row(of: place, in: forest, indexes)
    var row = row(at: place, position: forest.childPosition(of: place), in: watchers[slot].view)
    row.index = index.map { Int($0) }
    row.visibleDescendantCount = descendants(of: place, in: watchers[slot].view)
    return row
  }

  /// Consecutive rows, up to `limit` of them.
  ///
  /// - Precondition: `start` is at most the row count.
  /// - Complexity: O(limit + log *n*) while subtrees end within a leaf; a search for each collapsed
  ///   one that does not.
  public func rows(from start: Int, limit: Int, in id: ViewID) -> [ViewRow] {
    let slot = slot(of: id)
    let count = min(limit, Int(watchers[slot].view.rowCount) - start)
    guard count > 0 else { return [] }
    var page = RowScan<fanout>(first: start, capacity: count)
    var next: Forest<fanout>.Place? = watchers[slot].view.place(
      atRow: Int32(start),
      in: forest,
      indexes
    )
    while page.rows.count < count, let place = next {
      let position =
        page.position(of: place, parent: forest.parents[forest.node(at: place).offset])
        ?? forest.childPosition(of: place)
      page.append(row(at: place, position: position, in: watchers[slot].view), at: place)
      next = nextRow(after: place, in: watchers[slot].view)
    }
    return page.finish { descendants(of: $0, in: watchers[slot].view) }
  }

  /// A range of a node's children, expanded or not.
  ///
  /// - Precondition: `start` is at most the child count.
  /// - Complexity: O(limit · log *n*).
  public func children(
    of parent: NodeID,
    from start: Int,
    limit: Int,
    in id: ViewID
  ) -> [ViewRow] {
    let slot = slot(of: id)
    let end = min(start + limit, Int(forest.childCounts[parent.offset]))
    guard start < end else { return [] }
    var rows: [ViewRow] = []
    var next: Forest<fanout>.Place? = forest.child(start, of: forest.place(of: parent))
    while start + rows.count < end, let place = next {
      var row = row(at: place, position: start + rows.count, in: watchers[slot].view)
      row.index = watchers[slot].view.row(of: place, in: forest, indexes).map { Int($0) }
      row.visibleDescendantCount = descendants(of: place, in: watchers[slot].view)
      rows.append(row)
      next = forest.afterSubtree(place)
    }
    return rows
  }

  /// A node's row without its index and its rows below.
  private func row(
    at place: Forest<fanout>.Place,
    position: Int,
    in view: borrowing View<fanout>
  ) -> ViewRow {
    let node = forest.node(at: place)
    let parent = forest.parents[node.offset]
    let state = forest.childStates[node.offset]
    let count = Int(forest.childCounts[node.offset])
    return ViewRow(
      node: node,
      index: nil,
      depth: Int(place.depth) - 1,
      parent: parent,
      position: position,
      siblingCount: Int(forest.childCounts[parent.offset]),
      isExpanded: state != .leaf && view.isExpanded(node, depth: place.depth),
      childState: state,
      childCount: state == .leaf || state == .loaded ? count : nil,
      visibleDescendantCount: 0
    )
  }

  /// How many rows a node has, or were it a row would have, below it.
  ///
  /// - Complexity: O(log *n*).
  func descendants(of place: Forest<fanout>.Place, in view: borrowing View<fanout>) -> Int {
    let node = forest.node(at: place)
    guard forest.childCounts[node.offset] > 0, view.isExpanded(node, depth: place.depth) else {
      return 0
    }
    return Int(
      view.entries(
        covered: view.cover(of: place),
        from: place.position + 1,
        to: forest.subtreeEnd(place),
        in: forest,
        indexes
      )
    )
  }
}
