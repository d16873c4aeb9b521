// Long work that is done on a fork, while short transactions are committed in the tree. The tree
// adopts rows and orderings that were made there. Commits of the tree are replayed on the fork
// beneath its transaction, as if that had been made after them.
extension SizedTree {
  /// Begins to record the changes of the data, for the update of a layer that is made on a fork.
  ///
  /// Discards the changes that were recorded before.
  ///
  /// - Returns: An object that identifies this moment. Recording ends when it is released.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(nodes recorded before).
  @specialized(where Width == Fanout<64>)
  public mutating func watchChanges() -> ChangeWatch {
    precondition(editor.transaction == nil, "a transaction is running")
    let watch = ChangeWatch()
    changeRecord = ChangeRecord(for: watch)
    return watch
  }

  /// Returns true if a layer made on a fork can be updated by the changes since a moment.
  ///
  /// Otherwise there are too many changes, or they are unusable.
  ///
  /// - Complexity: O(*k* log *n*) for *k* nodes moved.
  @specialized(where Width == Fanout<64>)
  public func canFollow(since moment: ChangeWatch) -> Bool {
    guard let changeRecord, changeRecord.watch === moment else { return false }
    return changeRecord.canBeFollowed(in: editor.base.forest)
  }

  /// Returns an ordering that the running transaction has added; nil if it has not.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func preparedOrdering(_ id: OrderingID) -> PreparedOrdering<Width>? {
    guard let ordering = editor.base.ordering(id), ordering.isNew else { return nil }
    return PreparedOrdering(ordering: ordering)
  }

  /// Adds an ordering that was made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The ordering, made since ``watchChanges()`` was called.
  ///   - sorter: Sorts siblings, as it did when the ordering was made.
  ///   - count: Counts the steps.
  /// - Returns: Its name.
  /// - Throws: The error of counting or sorting. The transaction must be rolled back then.
  /// - Precondition: ``canFollow(since:)``; the transaction has changed nothing yet.
  /// - Complexity: O(*k* log² *n*) for *k* nodes that were changed since.
  @specialized(where Width == Fanout<64>)
  public mutating func adopt(
    _ prepared: PreparedOrdering<Width>,
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) -> OrderingID {
    guard let changes = changeRecord?.changes else { preconditionFailure("nothing was recorded") }
    let id = editor.add(prepared.ordering.named(OrderingID(number: editor.base.orderingCount)))
    let doubtful = try OrderingUpkeep.doubtfulNodes(after: changes, in: editor.base.forest, count)
    try follow(changes, doubting: doubtful, at: editor.base.place(of: id), sorter, count)
    return id
  }

  /// Returns the rows that the running transaction has made for a view's filter and order.
  ///
  /// - Precondition: The rows of the view are up to date.
  /// - Complexity: O(toggled nodes), and O(changes) for a layer that followed changes.
  @specialized(where Width == Fanout<64>)
  public func preparedLayer(of id: ViewID) -> PreparedLayer<Width> {
    let slot = editor.base.slot(of: id)
    precondition(
      editor.base.hasUpdatedRows(slot, in: editor.transaction),
      "the rows are not up to date"
    )
    return PreparedLayer(of: editor.base.watchers[slot])
  }

  /// Compares the expansion of a view with that under which rows were made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The rows.
  ///   - setsFilter: True if the rows were made with another filter than the view's.
  ///   - filtered: The expansion that the view gets with a new filter; nil to expand everything.
  ///   - unfiltered: The expansion that the view gets without a filter; nil to keep it.
  ///   - id: The view.
  /// - Returns: True if the view can adopt the rows. The same nodes must be expanded in both.
  /// - Complexity: O(toggled nodes).
  @specialized(where Width == Fanout<64>)
  public func canAdopt(
    _ prepared: PreparedLayer<Width>,
    settingFilter setsFilter: Bool,
    expanding filtered: PreparedLayer<Width>.Expansion? = nil,
    unfiltered: PreparedLayer<Width>.Expansion? = nil,
    in id: ViewID
  ) -> Bool {
    if prepared.layer == nil { return true }
    if setsFilter, prepared.isFiltered { return canAdopt(prepared, expanding: filtered) }
    let watcher = editor.base.watchers[editor.base.slot(of: id)]
    let keepsFilter = !setsFilter && watcher.aside != nil
    if let unfiltered, !keepsFilter { return canAdopt(prepared, expanding: unfiltered) }
    let view = setsFilter ? watcher.aside ?? watcher.view : watcher.view
    return canAdopt(prepared, expanding: (view.rule, Array(view.toggledNodes)))
  }

  /// Compares the expansion of a new view with that under which rows were made on a fork.
  ///
  /// - Parameters:
  ///   - prepared: The rows.
  ///   - expansion: The expansion that the view has or gets; nil if everything is expanded.
  /// - Returns: True if the same nodes are expanded in both.
  /// - Complexity: O(toggled nodes).
  @specialized(where Width == Fanout<64>)
  public func canAdopt(
    _ prepared: PreparedLayer<Width>,
    expanding expansion: PreparedLayer<Width>.Expansion?
  ) -> Bool {
    let (rule, toggled) = expansion ?? (.all, [])
    return rule == prepared.rule
      && Set(toggled) == prepared.toggled.filter { editor.base.forest.isAttached($0) }
  }

  /// Sets a filter, an order or an expansion of a view, or several, using rows made on a fork.
  ///
  /// The rows are up to date afterwards.
  ///
  /// - Parameters:
  ///   - prepared: The rows, made since ``watchChanges()`` was called.
  ///   - setsFilter: True to set or remove the filter; false to keep it.
  ///   - filtered: The expansion that the view gets with a new filter; nil to expand everything.
  ///   - unfiltered: The expansion that the view gets without a filter; nil to keep it.
  ///   - ordering: The order of siblings that the rows were made with, which may have been adopted.
  ///   - limit: The maximum number of former rows to list below the top level. Of more rows, only
  ///     those at the top level are listed.
  ///   - id: The view.
  ///   - count: Counts the steps.
  ///   - matches: Returns true if a node matches the filter; called for nodes made or changed.
  /// - Throws: The error that `count` or `matches` throws. The transaction must be rolled back
  ///   then.
  /// - Precondition: ``canFollow(since:)`` is true, and so is
  ///   ``canAdopt(_:settingFilter:expanding:unfiltered:in:)``. The transaction has changed no data.
  /// - Complexity: O(*l*) for *l* rows listed, and O(*k* log² *n*) for *k* nodes that were changed
  ///   or moved since.
  @specialized(where Width == Fanout<64>)
  public mutating func adopt(
    _ prepared: PreparedLayer<Width>,
    settingFilter setsFilter: Bool = true,
    expanding filtered: PreparedLayer<Width>.Expansion? = nil,
    unfiltered: PreparedLayer<Width>.Expansion? = nil,
    sortedBy ordering: OrderingID? = nil,
    listing limit: Int,
    in id: ViewID,
    counting count: StepCounter,
    matches: (borrowing SizedTree, NodeID) throws(Interruption) -> Bool
  ) throws(Interruption) {
    guard let changes = changeRecord?.changes else { preconditionFailure("nothing was recorded") }
    let slot = editor.base.slot(of: id)
    // First, so that the difference between the former and the new rows is not searched.
    try editor.replaceRows(at: slot, listing: limit, count)
    if let (rule, toggled) = unfiltered {
      try setUnfilteredRule(rule, toggling: toggled, in: id, counting: count)
    }
    if setsFilter {
      try editor.setFilter(prepared.isFiltered, in: id, listing: limit, counting: count)
      if let (rule, toggled) = filtered {
        try setRule(rule, toggling: toggled, in: id, counting: count)
      }
    }
    try setOrder(prepared.order, in: id, counting: count)
    try setOrdering(ordering, in: id, counting: count)
    guard var layer = prepared.layer else { return editor.adopt(nil, inViewAt: slot) }
    layer.ordering = ordering
    let displaced = editor.base.ordering(ordering).map { ordering in
      ordering.isNew ? ordering.displaced : changeRecord?.displaced[ordering.id] ?? NodeSet()
    }
    let upkeep = LayerUpkeep(slot: slot, transaction: editor.transaction)
    try upkeep.follow(changes, displaced?.nodes ?? [], by: &layer, in: editor.base, count) {
      node throws(Interruption) in try matches(self, node)
    }
    editor.adopt(layer, inViewAt: slot)
  }

  // MARK: Transactions beneath

  /// Prepares a fork, so that commits can be replayed beneath its first transaction.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(ids).
  @specialized(where Width == Fanout<64>)
  public mutating func reserveNodes() {
    precondition(editor.transaction == nil, "a transaction is running")
    editor.base.forest.reserveNodes()
  }

  /// Frees what was reserved by ``reserveNodes()`` and not used.
  ///
  /// - Complexity: O(ids).
  @specialized(where Width == Fanout<64>)
  public mutating func freeReservedNodes() { editor.base.forest.freeReservedNodes() }

  /// True if the running transaction can be set aside.
  ///
  /// It must not have set a filter or order of a view, nor have sorted an order of siblings anew.
  ///
  /// - Complexity: O(views with a filter or an order).
  public var canSetAside: Bool {
    @specialized(where Width == Fanout<64>)
    get {
      !editor.base.orderings.contains { $0.isNew || $0.isRebuilt }
        && editor.base.layered.allSatisfy { editor.base.watchers[$0].canSetAside }
    }
  }

  /// Collects the nodes that the running transaction concerns.
  ///
  /// - Parameters:
  ///   - footprint: The nodes on which it depends.
  ///   - view: The view that it changed, if the footprint says that it did.
  /// - Returns: The nodes that it changed or depends on.
  /// - Complexity: O(steps of the transaction).
  @specialized(where Width == Fanout<64>)
  public func impact(_ footprint: Footprint, view: ViewID?) -> TransactionImpact {
    guard let transaction = editor.transaction else {
      preconditionFailure("no transaction is running")
    }
    let changed = footprint.changesView ? view.map { editor.base.slot(of: $0) } : nil
    return TransactionImpact(of: transaction, footprint, view: changed)
  }

  /// Sets the running transaction aside, so that others can be committed beneath it.
  ///
  /// - Parameter impact: The nodes that the transaction changed or depends on.
  /// - Precondition: ``canSetAside``, and ``reserveNodes()`` was called before the transaction.
  /// - Complexity: O(views).
  @specialized(where Width == Fanout<64>)
  public mutating func setAside(_ impact: TransactionImpact) {
    guard let running = editor.transaction.take() else {
      preconditionFailure("no transaction is running")
    }
    var setAside = TransactionAside(transaction: running, impact: impact)
    for slot in editor.base.watchers.indices where !editor.base.watchers[slot].view.isVacant {
      setAside.views[slot] = editor.base.watchers[slot].setAside()
    }
    for place in editor.base.orderings.indices { editor.base.orderings[place].endTransaction() }
    aside.value = setAside
    editor.base.forest.reservedNodes?.use(true)
    editor.base.forest.setChanging(false)
  }

  /// Continues the transaction that was set aside.
  ///
  /// - Complexity: O(views).
  @specialized(where Width == Fanout<64>)
  public mutating func resume() {
    guard let again = aside.value.take() else { preconditionFailure("nothing is set aside") }
    precondition(editor.transaction == nil, "another transaction is running")
    for (slot, changes) in again.views { editor.base.watchers[slot].resume(changes) }
    editor.transaction = again.transaction
    editor.base.forest.reservedNodes?.use(false)
    editor.base.forest.setChanging(true)
  }

  /// A function that compares the former and the present object of the node with a key.
  public typealias ObjectComparison = (
    _ key: ArraySlice<UInt8>,
    _ former: ArraySlice<UInt8>,
    _ now: ArraySlice<UInt8>
  ) -> Bool

  /// Commits the running transaction beneath the one that is set aside.
  ///
  /// - Parameters:
  ///   - record: The record of the same transaction in the tree itself.
  ///   - changesData: See ``commit(isRemembered:changesData:as:passing:)``.
  ///   - sorts: Returns true if the change of a node's object moves the node in an order by which
  ///     the transaction that is set aside placed nodes.
  /// - Returns: False if both do not commute, or if this one has other effects than recorded. The
  ///   fork must be discarded then.
  /// - Complexity: That of the commit, and O(*k* log *n*) for *k* steps and runs of rows.
  @specialized(where Width == Fanout<64>)
  public mutating func commitBeneath(
    as record: CommitRecord<Width>,
    changesData: Bool,
    sorting sorts: ObjectComparison
  ) -> Bool {
    guard let transaction = editor.transaction, let impact = aside.value?.impact,
      impact.commutes(with: transaction, in: editor.base.forest, sorting: sorts),
      record.number == history.number + 1, transaction.made == record.made,
      editor.base.forest.removedNodes(of: transaction) == record.removed
    else { return false }
    precondition(editor.hasUpdatedRows, "the rows of a view are not up to date")
    guard aside.value?.carry(over: transaction, as: record, history, in: editor.base) == true
    else { return false }
    commit(changesData: changesData, as: record)
    return true
  }
}
