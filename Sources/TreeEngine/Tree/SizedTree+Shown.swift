// What a change list asks of the rows that a view shows, whatever makes them its rows.
extension SizedTree {
  /// What the running transaction did to the rows shown; nil while none came or went.
  func shownDelta(_ slot: Int) -> RowDelta<Width>? { watchers[slot].delta }

  /// A node's row as it is now and its index, or nil when it is none.
  ///
  /// - Complexity: O(log *n*).
  func listedRow(
    of node: NodeID,
    inViewAt slot: Int
  ) -> (index: Int32, row: RowDelta<Width>.Listed)? {
    guard forest.isAttached(node) else { return nil }
    let place = forest.place(of: node)
    return watchers[slot].view.row(of: place, in: forest, indexes).map {
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
    let first = watchers[slot].view.place(atRow: index, in: forest, indexes)
    return watchers[slot].view.listedRows(from: first, count: count, in: forest)
  }

  /// How many rows were shown before the running transaction.
  func shownRowCountBefore(_ slot: Int) -> Int32 { watchers[slot].rowCountBefore }

  /// How many rows are shown.
  func shownRowCount(_ slot: Int) -> Int32 { watchers[slot].view.rowCount }

  /// Whether a node matches the view's filter; nil without one.
  func isMatched(_ node: NodeID, inViewAt slot: Int) -> Bool? { nil }

  /// Whether nodes matched before the running transaction, of those where that may have changed.
  func matchedBefore(inViewAt slot: Int) -> [NodeID: Bool?] { [:] }
}
