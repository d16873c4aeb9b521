// The filters and orders of views.
extension SizedTree {
  /// True if any view is filtered or not in tree order, or was when the transaction began.
  ///
  /// - Complexity: O(1).
  public var hasLayers: Bool {
    @specialized(where Width == Fanout<64>)
    get { !editor.base.layered.isEmpty }
  }

  /// True if the running transaction may have changed the rows of all views with a filter or an
  /// order; false if it concerns only the views that its operations named.
  public var changesLayers: Bool {
    @specialized(where Width == Fanout<64>)
    get { editor.transaction?.reach.hasLayered ?? false }
  }

  /// Returns true if a view is filtered, so that it shows only matches and their ancestors.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func isFiltered(_ id: ViewID) -> Bool {
    editor.base.watchers[editor.base.slot(of: id)].layering?.isFiltered ?? false
  }

  /// Returns true if the running transaction set a view's filter or order.
  ///
  /// ``updateRows(_:counting:matches:)`` then tests all nodes if the view is filtered.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func hasNewLayer(_ id: ViewID) -> Bool {
    editor.base.watchers[editor.base.slot(of: id)].layering?.replaced != nil
  }

  /// Returns true if a view's filter showed a node when the view was last updated, or if the view
  /// has no filter.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func passedFilter(_ node: NodeID, in id: ViewID) -> Bool {
    editor.base.filter(inViewAt: editor.base.slot(of: id))?.isMember(node) ?? true
  }

  /// Returns the order of a view's rows.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func order(of id: ViewID) -> ViewOrder {
    editor.base.watchers[editor.base.slot(of: id)].layering?.order ?? .depthFirst
  }

  /// Sets a new filter on a view, or removes it.
  ///
  /// The nodes are tested at the end of the transaction. Nodes at the top level are always shown. A
  /// filter has an expansion of its own, in which everything is expanded at first. The former
  /// expansion is kept aside and updated with the data. It returns when the filter is removed.
  ///
  /// - Parameters:
  ///   - isOn: True for a new filter, false to remove it.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(rows).
  @specialized(where Width == Fanout<64>)
  public mutating func setFilter(
    _ isOn: Bool,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.setFilter(isOn, in: id, counting: count)
  }

  /// Sets the order of a view's rows.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(rows).
  @specialized(where Width == Fanout<64>)
  public mutating func setOrder(
    _ order: ViewOrder,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.setOrder(order, in: id, counting: count)
  }

  /// Returns true if the running transaction has a net effect on a view's filter, its order, or the
  /// expansion kept aside.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(nodes toggled in the expansions kept aside).
  @specialized(where Width == Fanout<64>)
  public func hasLayerChanges(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> Bool {
    try editor.base.hasLayerChanges(in: id, counting: count)
  }

  /// Sets the rule and the toggled nodes of the expansion that a view has without its filter.
  ///
  /// See ``setRule(_:toggling:in:counting:)``.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - exceptions: The nodes that differ from it. None may be a leaf.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*e* log *n*) for *e* exceptions while the view is filtered.
  @specialized(where Width == Fanout<64>)
  public mutating func setUnfilteredRule(
    _ rule: ExpansionRule,
    toggling exceptions: [NodeID] = [],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.setUnfilteredRule(rule, toggling: exceptions, in: id, counting: count)
  }

  /// Returns the rule of the expansion that a view has without its filter.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func unfilteredRule(of id: ViewID) -> ExpansionRule {
    let watcher = editor.base.watchers[editor.base.slot(of: id)]
    return (watcher.aside ?? watcher.view).rule
  }

  /// Returns the nodes that differ from the rule in the expansion that a view has without its
  /// filter.
  ///
  /// They are in pre-order.
  ///
  /// - Complexity: O(*t* log *n*) for *t* of them.
  @specialized(where Width == Fanout<64>)
  public func unfilteredToggledNodes(
    in id: ViewID,
    while proceeds: () -> Bool = { true }
  ) -> [NodeID] {
    let watcher = editor.base.watchers[editor.base.slot(of: id)]
    return editor.base.inPreOrder((watcher.aside ?? watcher.view).toggles, while: proceeds)
  }

  /// Sets the order of siblings among a view's rows.
  ///
  /// - Parameters:
  ///   - ordering: The order; nil for that of the tree.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting. The transaction must be rolled back then.
  /// - Complexity: O(rows).
  @specialized(where Width == Fanout<64>)
  public mutating func setOrdering(
    _ ordering: OrderingID?,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    try editor.setOrdering(ordering, in: id, counting: count)
  }

  /// Returns the order of siblings among a view's rows; nil for that of the tree.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func ordering(of id: ViewID) -> OrderingID? {
    editor.base.watchers[editor.base.slot(of: id)].layering?.ordering
  }

  /// Updates the rows of a filtered or reordered view at the end of a transaction.
  ///
  /// Must be called last in a transaction, before ``changes(of:counting:)`` and the commit. It must
  /// be called for each view that has a filter or another order, or had one when the transaction
  /// began. If ``changesLayers`` is false, only those views need it that operations named. Other
  /// views need no call; for them it sorts the changes once, instead of at each reading. A rollback
  /// may follow, also after an error.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  ///   - matches: Returns true if a node matches the filter, which must depend on its key and
  ///     object only. It is called for nodes made or updated, and for all nodes after a filter was
  ///     set.
  /// - Throws: The error that `count` or `matches` throws. The transaction must be rolled back
  ///   then.
  /// - Complexity: O((*k* + *r*) log² *n*) for *k* nodes touched and *r* rows that came or went;
  ///   O(*n*) after a filter, O(rows) after an order was set.
  @specialized(where Width == Fanout<64>)
  public mutating func updateRows(
    _ id: ViewID,
    counting count: StepCounter,
    matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    let slot = editor.base.slot(of: id)
    guard var layering = try editor.takeLayering(at: slot, count) else { return }
    defer { editor.base.watchers[slot].layering = layering }
    let isFollowing = layering.replaced == nil
    let upkeep = LayerUpkeep(slot: slot, transaction: editor.transaction)
    try upkeep.update(&layering, in: editor.base, count) { node throws(Interruption) in
      try matches(self, node)
    }
    guard isFollowing else { return }
    editor.transaction?.recordListed(layering.delta?.listed.count ?? 0)
  }

  /// Returns the maximum memory of a new filter, a new order or both in a view, in bytes.
  ///
  /// The temporary memory to make them is included.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func layerBytes(isFiltered: Bool, order: ViewOrder, isSorted: Bool = false) -> Int {
    let count = editor.base.forest.nodeCount
    let rows = RowSequence<Width>.byteCount(ofRows: count)
    // Rows before and after, listed for the difference.
    var bytes = 2 * count * MemoryLayout<RowDelta<Width>.Listed>.stride
    if isFiltered { bytes += rows + NodeTable<FilterMember>.byteCount(ofNodes: count) }
    let isReordered = order == .breadthFirst || isSorted
    if isReordered { bytes += rows }
    return isFiltered || isReordered ? bytes : 0
  }

  // MARK: Orderings

  /// Puts the siblings of a view's rows in an order, between transactions.
  ///
  /// It is used for a view that had this order when an image of the tree was made.
  ///
  /// - Complexity: O(*n*).
  @specialized(where Width == Fanout<64>)
  public mutating func restoreOrdering(_ ordering: OrderingID, in id: ViewID) {
    precondition(editor.transaction == nil, "a transaction is running")
    editor.base.restoreOrdering(ordering, in: id)
  }

  /// The orderings.
  ///
  /// - Complexity: O(orderings).
  public var orderingIDs: [OrderingID] {
    @specialized(where Width == Fanout<64>)
    get { editor.base.orderings.isEmpty ? [] : editor.base.orderings.map(\.id) }
  }

  /// Removes the orderings that no view uses.
  ///
  /// - Returns: The orderings removed.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(views with a filter or an order).
  @specialized(where Width == Fanout<64>)
  @discardableResult
  public mutating func removeUnusedOrderings() -> [OrderingID] {
    precondition(editor.transaction == nil, "orderings go between transactions")
    return editor.base.removeUnusedOrderings()
  }
}
