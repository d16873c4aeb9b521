// A long transaction is made on a fork, while short ones are committed in the tree. Then these are
// replayed on the fork, beneath the long one: as if it had been made after them.
extension SizedTree {
  /// Prepares a fork, so that commits can be replayed beneath its first transaction.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(ids).
  @specialized(where Width == Fanout<64>)
  public mutating func reserveNodes() {
    precondition(transaction == nil, "a transaction is running")
    forest.reserveNodes()
  }

  /// Frees what was reserved by ``reserveNodes()`` and not used.
  ///
  /// - Complexity: O(ids).
  @specialized(where Width == Fanout<64>)
  public mutating func freeReservedNodes() { forest.freeReservedNodes() }

  /// True if the running transaction can be set aside.
  ///
  /// It must not have set a filter or order of a view, nor have sorted an order of siblings anew.
  ///
  /// - Complexity: O(views with a filter or an order).
  public var canSetAside: Bool {
    @specialized(where Width == Fanout<64>)
    get {
      !orderings.contains { $0.isNew || $0.isRebuilt }
        && layered.allSatisfy { watchers[$0].canSetAside }
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
    guard let transaction else { preconditionFailure("no transaction is running") }
    let changed = footprint.changesView ? view.map { slot(of: $0) } : nil
    return TransactionImpact(of: transaction, footprint, view: changed)
  }

  /// Sets the running transaction aside, so that others can be committed beneath it.
  ///
  /// - Parameter impact: The nodes that the transaction changed or depends on.
  /// - Precondition: ``canSetAside``, and ``reserveNodes()`` was called before the transaction.
  /// - Complexity: O(views).
  @specialized(where Width == Fanout<64>)
  public mutating func setAside(_ impact: TransactionImpact) {
    guard let running = transaction.take() else {
      preconditionFailure("no transaction is running")
    }
    var setAside = TransactionAside(transaction: running, impact: impact)
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      setAside.views[slot] = watchers[slot].setAside()
    }
    for place in orderings.indices { orderings[place].endTransaction() }
    aside.value = setAside
    forest.reservedNodes?.use(true)
    forest.setChanging(false)
  }

  /// Continues the transaction that was set aside.
  ///
  /// - Complexity: O(views).
  @specialized(where Width == Fanout<64>)
  public mutating func takeUp() {
    guard let again = aside.value.take() else { preconditionFailure("nothing is set aside") }
    precondition(transaction == nil, "another transaction is running")
    for (slot, changes) in again.views { watchers[slot].takeUp(changes) }
    transaction = again.transaction
    forest.reservedNodes?.use(false)
    forest.setChanging(true)
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
    guard commutes(sorting: sorts), carry(over: record) else { return false }
    commit(changesData: changesData, as: record)
    return true
  }

  /// Adapts the transaction that is set aside to the running one, which comes before it.
  ///
  /// - Returns: False if the running transaction has other effects than recorded, or if its rows
  ///   cannot be inserted before those changes.
  private mutating func carry(over record: CommitRecord<Width>) -> Bool {
    guard let done = transaction, record.number == history.number + 1, done.made == record.made,
      removedNodes(of: done) == record.removed
    else { return false }
    let showsOldNodes = showsOldNodes(done)
    var isSame = true
    forEachSlot(concernedBy: done.reach) { tree, slot in
      guard isSame else { return }
      let past = tree.pastView(at: slot, of: done)
      guard let recorded = record.views[slot] else { return isSame = past.isEmpty }
      let runs = past.rowRuns
      let isHashed = showsOldNodes || tree.watchers[slot].isLayered
      isSame =
        (!isHashed || tree.hash(of: runs, inViewAt: slot) == recorded.came)
        && past.marks.count == recorded.past.marks.count
        && tree.aside.value?.views[slot]?.carry(over: recorded.past.rowRuns, runs) == true
    }
    guard isSame else { return false }
    for node in done.readings.keys.nodes {
      let now = Self.reading(of: node, in: forest)
      aside.value?.transaction.readings.update(node) { $0.object = now.object }
    }
    return true
  }

  /// Returns the nodes that a transaction removed.
  ///
  /// - Complexity: O(steps + nodes removed).
  func removedNodes(of done: Transaction<Width>) -> [NodeID] {
    done.inverses.flatMap { inverse in
      if case .removed(let cutting, _, _) = inverse { return forest.nodes(of: cutting) }
      return []
    }
  }
}
