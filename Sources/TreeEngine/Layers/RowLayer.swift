/// The rows of a view that is filtered, sorted, in breadth-first order, or several of these.
///
/// The expansion alone does not determine such rows.
struct RowLayer<Width: NodeWidth>: Sendable {
  /// The members and rows of the filter; nil without one.
  var filter: RowFilter<Width>?
  /// The rows in breadth-first order, in the order of ``ordering``, or both; nil in tree order.
  var reordered: RowSequence<Width>?
  var order = ViewOrder.depthFirst
  /// The order of siblings; nil for that of the tree.
  var ordering: OrderingID?

  /// The rows as they are shown.
  var rows: RowSequence<Width> {
    guard let rows = reordered ?? filter?.rows else {
      preconditionFailure("a layer neither filters nor orders")
    }
    return rows
  }

  /// The rows as they are shown, if the order is depth-first; nil otherwise.
  var preorder: RowSequence<Width>? { order == .depthFirst ? rows : nil }

  /// Ends the transaction, so that it can no longer be rolled back.
  mutating func endTransaction() {
    filter?.endTransaction()
    reordered?.endTransaction()
  }

  /// Restores the state before the running transaction.
  ///
  /// - Complexity: O(changes · log *n*).
  mutating func rollBack() {
    filter?.rollBack()
    reordered?.rollBack()
  }

  /// Replaces node ids after a compaction.
  mutating func renumber(_ new: NodeRenumbering) {
    filter?.renumber(new)
    reordered?.renumber(new)
  }
}

/// The filter, the order and the rows of a watcher that has a filter or another order.
struct Layering<Width: NodeWidth>: Sendable {
  /// The former filter, order and rows of a view, kept by the transaction that set others.
  struct Replacement: Sendable {
    var order: ViewOrder
    var ordering: OrderingID?
    var isFiltered: Bool
    var layer: RowLayer<Width>?
    /// The rows before; nil if there were too many, or the transaction had changed them already.
    var rowsBefore: [RowDelta<Width>.Listed]?
    /// True if the filter was set, not only the order.
    var concernsFilter = false
  }

  var order = ViewOrder.depthFirst
  /// The order of siblings; nil for that of the tree.
  var ordering: OrderingID?
  var isFiltered = false
  /// The rows when the view was last updated; nil for a view without filter in tree order.
  var layer: RowLayer<Width>?

  /// The changes of the shown rows in the running transaction, when the view was last updated.
  var delta: RowDelta<Width>?
  /// The number of rows shown at the last commit.
  var rowCountBefore: Int32 = 0
  /// The nodes whose match changed under the same filter, with true for those that matched before.
  var matchedBefore: [NodeID: Bool] = [:]
  /// The former state, if the running transaction set the filter or the order.
  var replaced: Replacement?
  /// The number of steps of the transaction at the last update; -1 if the rows must be made anew.
  var updatedSteps = 0

  /// The filter before the running transaction.
  ///
  /// Nil unless the transaction set the filter, or the order of a filtered view.
  var filterBefore: FilterBefore? {
    guard let replaced, replaced.isFiltered || isFiltered else { return nil }
    return FilterBefore(members: replaced.layer?.filter?.members)
  }

  /// A function that returns true if a node matched before the running transaction.
  ///
  /// It returns nil without a filter.
  var wasMatched: (NodeID) -> Bool? {
    if let before = filterBefore { return { before.isMatched($0) } }
    let filter = layer?.filter
    return { matchedBefore[$0] ?? filter?.isMatched($0) }
  }

  /// True if the expansion alone determines the rows.
  var isPlain: Bool { !isFiltered && !isReordered }

  /// True if the rows are not in tree order.
  var isReordered: Bool { order == .breadthFirst || ordering != nil }

  /// Ends the transaction, so that it can no longer be rolled back.
  mutating func endTransaction() {
    layer?.endTransaction()
    rowCountBefore = layer?.rows.count ?? 0
    updatedSteps = 0
    delta = nil
    matchedBefore = [:]
    replaced = nil
  }

  /// Restores the record of changes that was set aside.
  mutating func resume(_ changes: ViewChanges<Width>) {
    guard let layer = changes.layer else { return }
    rowCountBefore = changes.rowCountBefore
    delta = changes.delta
    matchedBefore = layer.matchedBefore
    updatedSteps = layer.updatedSteps
  }

  /// Restores the filter, the order and the rows before the transaction.
  mutating func rollBack() {
    if let replaced {
      order = replaced.order
      ordering = replaced.ordering
      isFiltered = replaced.isFiltered
      layer = replaced.layer
    } else {
      layer?.rollBack()
    }
  }
}

/// The order of a view's rows.
public enum ViewOrder: Sendable {
  /// Each node before its descendants: pre-order.
  case depthFirst
  /// The subtree of one root after the other, each by depth, and within a depth in pre-order.
  case breadthFirst
}

/// The rows of a view with another filter or order, computed on a fork of the tree.
public struct PreparedLayer<Width: NodeWidth>: Sendable {
  /// The rows; nil if the expansion alone determines them.
  let layer: RowLayer<Width>?
  /// The order of the rows.
  public let order: ViewOrder
  /// True if the rows are filtered.
  public var isFiltered: Bool { layer?.filter != nil }

  /// A rule of expansion, and the nodes that differ from it.
  public typealias Expansion = (rule: ExpansionRule, toggled: [NodeID])

  /// The expansion of the view on the fork.
  let rule: ExpansionRule
  let toggled: Set<NodeID>

  /// Copies the rows of a view.
  ///
  /// - Precondition: The rows are up to date.
  init(of watcher: Watcher<Width>) {
    let layering = watcher.layering
    var layer = layering?.layer
    layer?.endTransaction()
    self.layer = layer
    order = layering?.order ?? .depthFirst
    rule = watcher.view.rule
    toggled = watcher.view.toggledNodes
  }
}
