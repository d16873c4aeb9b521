/// A view's rows where they are not what its expansion alone makes them: filtered, in breadth-first
/// order, or both.
struct RowLayer<Width: NodeWidth>: Sendable {
  /// What a filter lets through; nil without one.
  var filter: RowFilter<Width>?
  /// The rows in breadth-first order; nil in depth-first order.
  var breadthFirst: RowSequence<Width>?

  /// The rows as they are shown.
  var rows: RowSequence<Width> {
    guard let rows = breadthFirst ?? filter?.rows else {
      preconditionFailure("a layer neither filters nor orders")
    }
    return rows
  }

  /// Begins another transaction.
  mutating func endTransaction() {
    filter?.endTransaction()
    breadthFirst?.endTransaction()
  }

  /// Brings back what was here before the running transaction.
  ///
  /// - Complexity: O(changes · log *n*).
  mutating func rollBack() {
    filter?.rollBack()
    breadthFirst?.rollBack()
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    filter?.renumber(new)
    breadthFirst?.renumber(new)
  }
}

/// What a watcher has besides its expansion, while its rows are filtered or in another order.
struct Layering<Width: NodeWidth>: Sendable {
  /// What a transaction has to remember of a view whose filter or order it set.
  struct Replacement: Sendable {
    var order: ViewOrder
    var isFiltered: Bool
    var layer: RowLayer<Width>?
    /// The rows before, where none had come or gone in the transaction.
    var rowsBefore: [RowDelta<Width>.Listed]?
    /// Whether it was the filter that was set.
    var concernsFilter = false
  }

  var order = ViewOrder.depthFirst
  var isFiltered = false
  /// The rows as of the last settling; nil for a view without filter in depth-first order.
  var layer: RowLayer<Width>?

  /// What the running transaction did to the rows shown, as of the last settling.
  var delta: RowDelta<Width>?
  /// Rows shown as of the last commit.
  var rowCountBefore: Int32 = 0
  /// Whether nodes whose match changed, while the filter did not, matched before.
  var matchedBefore: [NodeID: Bool] = [:]
  /// Set while filter or order were set in this transaction.
  var replaced: Replacement?
  /// How many steps of the transaction are settled.
  var settledSteps = 0

  /// The filter before the running transaction, if that set filter or order.
  var filterBefore: FilterBefore? {
    guard let replaced, replaced.isFiltered || isFiltered else { return nil }
    return FilterBefore(members: replaced.layer?.filter?.members)
  }

  /// Tells whether a node matched before the running transaction; nil without a filter.
  var wasMatched: (NodeID) -> Bool? {
    if let before = filterBefore { return { before.isMatched($0) } }
    let filter = layer?.filter
    return { matchedBefore[$0] ?? filter?.isMatched($0) }
  }

  /// Whether the view's expansion alone makes its rows.
  var isPlain: Bool { !isFiltered && order == .depthFirst }

  /// Forgets what a transaction did.
  mutating func endTransaction() {
    layer?.endTransaction()
    rowCountBefore = layer?.rows.count ?? 0
    settledSteps = 0
    delta = nil
    matchedBefore = [:]
    replaced = nil
  }

  /// Puts back what filter, order and rows were before the transaction.
  mutating func rollBack() {
    if let replaced {
      order = replaced.order
      isFiltered = replaced.isFiltered
      layer = replaced.layer
    } else {
      layer?.rollBack()
    }
  }
}
