// What a change list asks of the rows that a view shows, whatever makes them its rows.
extension SizedTree {
  /// What the running transaction did to the rows shown; nil while none came or went.
  ///
  /// - Precondition: the view is settled.
  func shownDelta(_ slot: Int) -> RowDelta<Width>? {
    precondition(isSettled(slot), "the view is not settled")
    guard let layering = watchers[slot].layering else { return watchers[slot].delta }
    return layering.delta
  }

  /// How many rows were shown before the running transaction.
  func shownRowCountBefore(_ slot: Int) -> Int32 {
    watchers[slot].layering?.rowCountBefore ?? watchers[slot].rowCountBefore
  }

  /// How many rows are shown.
  func shownRowCount(_ slot: Int) -> Int32 {
    watchers[slot].layering?.layer?.rows.count ?? watchers[slot].view.rowCount
  }

  /// The row of a node that is in the tree, or nil while it is hidden.
  ///
  /// - Complexity: O(log *n*).
  func shownIndex(of node: NodeID, at place: Forest<Width>.Place, inViewAt slot: Int) -> Int32? {
    if watchers[slot].isLayered, let layer = watchers[slot].layering?.layer {
      return layer.rows.index(of: node)
    }
    return watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
  }

  /// A node's row as it is now and its index, or nil when it is none.
  ///
  /// - Complexity: O(log *n*).
  func listedRow(
    of node: NodeID,
    inViewAt slot: Int
  ) -> (index: Int32, row: RowDelta<Width>.Listed)? {
    guard let place = forest.place(ofAttached: node) else { return nil }
    return shownIndex(of: node, at: place, inViewAt: slot).map {
      ($0, RowDelta.Listed(at: place, in: forest))
    }
  }

  /// Consecutive rows as they are now.
  ///
  /// - Complexity: O(count), each at most a search.
  func listedRows(
    from index: Int32,
    count: Int32,
    inViewAt slot: Int
  ) -> [RowDelta<Width>.Listed] {
    if let layer = watchers[slot].layering?.layer {
      return layer.rows.nodes(from: index, count: count).map {
        RowDelta.Listed(at: forest.place(of: $0), in: forest)
      }
    }
    let first = watchers[slot].view.place(atRow: index, in: forest, indexes)
    return watchers[slot].view.listedRows(from: first, count: count, in: forest)
  }

  /// Whether a node matches the view's filter; nil without one.
  func isMatched(_ node: NodeID, inViewAt slot: Int) -> Bool? {
    guard watchers[slot].isLayered else { return nil }
    return watchers[slot].layering?.layer?.filter?.isMatched(node)
  }

  /// Whether nodes matched before the running transaction, of those where that has changed while
  /// the filter has not.
  func matchedBefore(inViewAt slot: Int) -> [NodeID: Bool] {
    watchers[slot].layering?.matchedBefore ?? [:]
  }

  /// The filter before the running transaction, if filter or order were set.
  func filterBefore(inViewAt slot: Int) -> FilterBefore? {
    watchers[slot].layering?.filterBefore
  }

  /// Whether a node matched before the running transaction; nil without a filter.
  func wasMatched(_ node: NodeID, inViewAt slot: Int) -> Bool? {
    guard watchers[slot].isLayered, let layering = watchers[slot].layering else { return nil }
    if let before = layering.filterBefore { return before.isMatched(node) }
    return layering.matchedBefore[node] ?? layering.layer?.filter?.isMatched(node)
  }
}
