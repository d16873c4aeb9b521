// Rows as change lists need them, of views with and without a layer.
extension SizedTree {
  /// Returns the changes of the shown rows in the running transaction; nil if there are none.
  ///
  /// - Precondition: The rows of the view are up to date.
  func shownDelta(_ slot: Int) -> RowDelta<Width>? {
    precondition(hasUpdatedRows(slot), "the rows are not up to date")
    guard watchers[slot].isLayered else { return watchers[slot].delta }
    return watchers[slot].layering?.delta
  }

  /// Returns the changes of the shown rows as splices; nil if they do not suffice.
  func shownSplices(_ slot: Int) -> FewSplices<Width>? {
    watchers[slot].hasSplicesOnly ? watchers[slot].splices : nil
  }

  /// Returns the number of rows before the running transaction.
  func shownRowCountBefore(_ slot: Int) -> Int32 {
    guard watchers[slot].isLayered else { return watchers[slot].rowCountBefore }
    return watchers[slot].layering?.rowCountBefore ?? watchers[slot].rowCountBefore
  }

  /// Returns the number of rows.
  func shownRowCount(_ slot: Int) -> Int32 {
    guard watchers[slot].isLayered else { return watchers[slot].view.rowCount }
    return watchers[slot].layering?.layer?.rows.count ?? watchers[slot].view.rowCount
  }

  /// Returns the row index of a node of the tree; nil while it is hidden.
  ///
  /// - Complexity: O(log *n*).
  func shownIndex(of node: NodeID, at place: Forest<Width>.Place, inViewAt slot: Int) -> Int32? {
    if watchers[slot].isLayered, let layer = watchers[slot].layering?.layer {
      return layer.rows.index(of: node)
    }
    return watchers[slot].view.row(at: place.position, depth: place.depth, in: forest, indexes)
  }

  /// Returns the rows of a view with a filter or an order; nil without either.
  func writtenRows(_ slot: Int) -> RowSequence<Width>? {
    watchers[slot].isLayered ? watchers[slot].layering?.layer?.rows : nil
  }

  /// Returns the current row of a node and its index; nil if it has none.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - written: The result of ``writtenRows(_:)``.
  ///   - slot: The slot of the view.
  /// - Returns: The index and the row.
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

  /// Returns consecutive rows.
  ///
  /// - Complexity: O(count), with at most one search for each.
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

  /// Returns true if the siblings of a view's rows are in an order of its own.
  func hasOrdering(_ slot: Int) -> Bool {
    watchers[slot].isLayered && watchers[slot].layering?.ordering != nil
  }

  /// Returns the members and rows of a view's filter; nil without one.
  func filter(inViewAt slot: Int) -> RowFilter<Width>? {
    watchers[slot].isLayered ? watchers[slot].layering?.layer?.filter : nil
  }

  /// Returns the nodes whose match changed under the same filter, with true for those that matched
  /// before the running transaction.
  func matchedBefore(inViewAt slot: Int) -> [NodeID: Bool] {
    watchers[slot].isLayered ? watchers[slot].layering?.matchedBefore ?? [:] : [:]
  }

  /// Returns the filter before the running transaction; nil unless the transaction set the filter,
  /// or the order of a filtered view.
  func filterBefore(inViewAt slot: Int) -> FilterBefore? {
    watchers[slot].isLayered ? watchers[slot].layering?.filterBefore : nil
  }
}
