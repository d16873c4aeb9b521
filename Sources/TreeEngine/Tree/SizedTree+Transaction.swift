// Transactions. A long one is made on a fork, while short ones are committed in the tree.
// Then these are replayed on the fork, beneath the long one: as if it had been made after them.
extension SizedTree {
  /// Returns true if the running transaction has a net effect on the expansion of a view.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(*k* log *n*) for *k* nodes touched, O(nodes toggled) after a change of rule.
  @specialized(where Width == Fanout<64>)
  public func hasExpansionChanges(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> Bool {
    try editor.base.hasExpansionChanges(in: id, counting: count)
  }

  /// Begins a transaction.
  ///
  /// - Parameters:
  ///   - listLimit: The maximum number of deleted rows to report by node. A longer run is reported
  ///     without its nodes, in O(log *n*) instead of O(rows). May be set only for a transaction of
  ///     a **single** step: one insertion, removal, move, expansion, collapse or change of rule.
  ///     With several steps, the nodes are needed to find what cancels out.
  ///   - removedLimit: The number of removed rows of a view after which further ones are reported
  ///     without their nodes. Allowed with any steps, because removed nodes do not return. A few
  ///     rows side by side, and rows at the top level, are always listed.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public mutating func begin(listLimit: Int = .max, removedLimit: Int = .max) {
    editor.begin(
      listLimit: max(listLimit, history.limits.listedRows),
      removedLimit: removedLimit
    )
  }

  /// Undoes the transaction and ends it, so that the tree and its views are as before.
  ///
  /// - Parameter pass: Counts the steps.
  /// - Complexity: That of the undone steps.
  @specialized(where Width == Fanout<64>)
  public mutating func rollback(passing pass: PauseCounter = { _ in }) {
    editor.rollback(passing: pass)
  }

  /// Commits the transaction.
  ///
  /// Removed nodes are freed when no change list since an earlier commit can name them any more.
  ///
  /// - Parameters:
  ///   - isRemembered: True to keep it in the history. False for a transaction without net effect
  ///     (see ``hasDataChanges(counting:)``), so that it displaces no other commit there.
  ///   - changesData: False if its moves cancel out. Later change lists do not contain them then.
  ///   - given: The record of the same transaction on another fork, whose effects on views are kept
  ///     in the history.
  ///   - pass: Counts the steps of freeing what was removed.
  /// - Complexity: O(views concerned + nodes removed and touched), and O(rows listed) if history is
  ///   kept.
  @specialized(where Width == Fanout<64>)
  public mutating func commit(
    isRemembered: Bool = true,
    changesData: Bool = true,
    as given: CommitRecord<Width>? = nil,
    passing pass: PauseCounter = { _ in }
  ) {
    precondition(editor.hasUpdatedRows, "the rows of a view are not up to date")
    guard let done = editor.transaction.take() else {
      preconditionFailure("no transaction is running")
    }
    precondition(done.unlinkedCount == 0, "a node was made and linked nowhere")
    if changeRecord?.watch == nil { changeRecord = nil }
    changeRecord?.add(done, in: editor.base.forest, displacedIn: editor.base.orderings)
    let removed = editor.releaseRemoved(done, passing: pass)
    if isRemembered {
      history.keep(
        done,
        removed: removed,
        changesData: changesData,
        as: given,
        in: &editor.base,
        recordingIn: &recorder,
        passing: pass
      )
    } else {
      editor.base.forest.free(removed, passing: pass)
    }
    editor.discardReplaced(done)
    editor.end(consume done)
  }

  /// Computes what the history keeps of the nodes, so that the commit need not.
  ///
  /// Other transactions may be committed beneath the running one, which must not go on.
  ///
  /// - Parameter pass: Counts the steps.
  /// - Complexity: O(nodes touched and removed).
  @specialized(where Width == Fanout<64>)
  public mutating func prepareCommit(passing pass: PauseCounter = { _ in }) {
    guard history.isKept, let running = editor.transaction else { return }
    let removed = editor.base.forest.removedNodes(of: running)
    let past = history.pastData(of: running, removed, in: editor.base.forest, passing: pass)
    editor.transaction?.keep(past)
  }

  /// Returns true if the running transaction has a net effect on the nodes.
  ///
  /// - Parameter count: Counts the steps.
  /// - Returns: False if nothing has changed, or everything was undone.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O(*k*) for *k* operations and bytes; O(*k* log *n*) if they only moved nodes
  ///   among their siblings.
  @specialized(where Width == Fanout<64>)
  public func hasDataChanges(counting count: StepCounter) throws(Interruption) -> Bool {
    guard let transaction = editor.transaction else { return false }
    return try NetEffect(of: transaction).hasDataChanges(in: editor.base.forest, count)
  }

  // MARK: Recording

  /// True if the next commits are recorded, so that they can be replayed on a fork.
  public var isRecording: Bool {
    get { recorder.isRecording }
    set { recorder.isRecording = newValue }
  }

  /// Removes and returns the record of the last commit; nil if it was not recorded, or was too
  /// large.
  ///
  /// - Complexity: O(1).
  public mutating func popRecord() -> CommitRecord<Width>? {
    recorder.pop()
  }

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
  public mutating func takeUp() {
    guard let again = aside.value.take() else { preconditionFailure("nothing is set aside") }
    precondition(editor.transaction == nil, "another transaction is running")
    for (slot, changes) in again.views { editor.base.watchers[slot].takeUp(changes) }
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
      carry(over: record)
    else { return false }
    commit(changesData: changesData, as: record)
    return true
  }

  /// Adapts the transaction that is set aside to the running one, which comes before it.
  ///
  /// - Returns: False if the running transaction has other effects than recorded, or if its rows
  ///   cannot be inserted before those changes.
  private mutating func carry(over record: CommitRecord<Width>) -> Bool {
    guard let done = editor.transaction, record.number == history.number + 1,
      done.made == record.made,
      editor.base.forest.removedNodes(of: done) == record.removed
    else { return false }
    precondition(editor.hasUpdatedRows, "the rows of a view are not up to date")
    let isMoving = done.showsOldNodes
    for slot in editor.base.slots(concernedBy: done.reach)
    where !editor.base.watchers[slot].view.isVacant {
      let past = history.pastView(at: slot, of: done, in: editor.base)
      guard let recorded = record.views[slot] else {
        if past.isEmpty { continue }
        return false
      }
      let runs = past.rowRuns
      let isHashed = isMoving || editor.base.watchers[slot].isLayered
      let isSame =
        (!isHashed || editor.base.hash(of: runs, inViewAt: slot) == recorded.came)
        && past.marks.count == recorded.past.marks.count
        && aside.value?.views[slot]?.carry(over: recorded.past.rowRuns, runs) == true
      guard isSame else { return false }
    }
    for node in done.readings.keys.nodes {
      let now = NodeReading(of: node, in: editor.base.forest)
      aside.value?.transaction.readings.update(node) { $0.object = now.object }
    }
    return true
  }
}
