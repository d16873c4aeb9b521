// What a change list asks of the rows that a view shows, whatever makes them its rows.
extension SizedTree {
  /// What the running transaction did to the rows shown; nil while none came or went.
  ///
  /// - Precondition: the view is settled.
  func shownDelta(_ slot: Int) -> RowDelta<Width>? {
    precondition(isSettled(slot), "the view is not settled")
    guard watchers[slot].isLayered else { return watchers[slot].delta }
    return watchers[slot].layering?.delta
  }

  /// What the running transaction did to the rows shown; nil where splices do not tell it all.
  func shownSplices(_ slot: Int) -> FewSplices<Width>? {
    watchers[slot].hasSplicesOnly ? watchers[slot].splices : nil
  }

  /// How many rows were shown before the running transaction.
  func shownRowCountBefore(_ slot: Int) -> Int32 {
    guard watchers[slot].isLayered else { return watchers[slot].rowCountBefore }
    return watchers[slot].layering?.rowCountBefore ?? watchers[slot].rowCountBefore
  }

  /// How many rows are shown.
  func shownRowCount(_ slot: Int) -> Int32 {
    guard watchers[slot].isLayered else { return watchers[slot].view.rowCount }
    return watchers[slot].layering?.layer?.rows.count ?? watchers[slot].view.rowCount
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

  /// The rows of a view with a filter or an order, written down.
  func writtenRows(_ slot: Int) -> RowSequence<Width>? {
    watchers[slot].isLayered ? watchers[slot].layering?.layer?.rows : nil
  }

  /// A node's row as it is now and its index, or nil when it is none.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - written: what ``writtenRows(_:)`` gives.
  ///   - slot: where the view is.
  /// - Returns: index and row.
  /// - Complexity: O(log *n*).
  func listedRow(
    of node: NodeID,
    among written: RowSequence<Width>?,
    inViewAt slot: Int
  ) -> (index: Int32, row: RowDelta<Width>.Listed)? {
    if let written {
      return written.index(of: node).map {
        ($0, RowDelta.Listed(at: forest.place(of: node), in: forest))
      }
    }
    guard let place = forest.place(ofAttached: node) else { return nil }
    let index = watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
    return index.map { ($0, RowDelta.Listed(at: place, in: forest)) }
  }

  /// Consecutive rows as they are now.
  ///
  /// - Complexity: O(count), each at most a search.
  func listedRows(
    from index: Int32,
    count: Int32,
    inViewAt slot: Int
  ) -> [RowDelta<Width>.Listed] {
    if let written = writtenRows(slot) {
      return written.listed(from: index, count: count, in: forest)
    }
    return watchers[slot].view.listedRows(from: index, count: count, in: forest, indexes)
  }

  /// What a view's filter lets through; nil without one.
  func filter(inViewAt slot: Int) -> RowFilter<Width>? {
    watchers[slot].isLayered ? watchers[slot].layering?.layer?.filter : nil
  }

  /// Whether nodes matched before the running transaction, of those where that has changed while
  /// the filter has not.
  func matchedBefore(inViewAt slot: Int) -> [NodeID: Bool] {
    watchers[slot].isLayered ? watchers[slot].layering?.matchedBefore ?? [:] : [:]
  }

  /// The filter before the running transaction, if filter or order were set.
  func filterBefore(inViewAt slot: Int) -> FilterBefore? {
    watchers[slot].isLayered ? watchers[slot].layering?.filterBefore : nil
  }
}
