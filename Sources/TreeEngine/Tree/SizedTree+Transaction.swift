// Transactions, what changed in them and since earlier commits.
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

  /// The approximate memory of the running transaction in bytes; 0 without one.
  ///
  /// - Complexity: O(1).
  public var transactionWeight: Int {
    @specialized(where Width == Fanout<64>)
    get { editor.transaction?.weight ?? 0 }
  }

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

  /// Returns true if a recorded commit inserted, removed or moved rows of a view.
  ///
  /// - Complexity: O(1).
  public func showsEffect(of record: CommitRecord<Width>, in view: ViewID) -> Bool {
    record.views[editor.base.slot(of: view)]?.past.hasRows == true
  }

  // MARK: Changes and history

  /// Returns the net difference of a view's rows in the running transaction.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: The difference.
  /// - Throws: The error that `count` throws. The transaction is unchanged then.
  /// - Complexity: O((*k* + *d*) log *n*) for *k* runs and *d* nodes listed or touched; after a
  ///   change of rule also O(rows that stayed).
  @specialized(where Width == Fanout<64>)
  public func changes(
    of id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> ChangeList {
    try editor.base.changes(inViewAt: editor.base.slot(of: id), editor.transaction, count)
  }

  /// Returns the net difference between a view's rows after an earlier commit and now.
  ///
  /// Changes that cancel are left out, and a row is the same as long as its node is. As few rows as
  /// possible move. If only one commit affected the view, the list is that of its transaction.
  ///
  /// Rows beyond the limit of listed rows (see ``begin(listLimit:removedLimit:)``) appear as
  /// deletion and insertion. The exception is a single move that is the only change of rows.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - number: An earlier ``commitNumber``, at least ``oldestCommit(of:)``.
  ///   - isOneCommit: True if at most one commit since then affected the view.
  ///   - count: Counts the steps.
  /// - Returns: The difference.
  /// - Throws: The error that `count` throws.
  /// - Precondition: No transaction is running.
  /// - Complexity: O((*k* + *d*) log *n*) for *k* runs and *d* nodes that these commits listed or
  ///   changed. After a change of rule also O(rows that stayed).
  @specialized(where Width == Fanout<64>)
  public func changes(
    of id: ViewID,
    since number: Int,
    isOneCommit: Bool = false,
    counting count: StepCounter
  ) throws(Interruption) -> ChangeList {
    precondition(editor.transaction == nil, "a transaction is running")
    precondition((oldestCommit(of: id)...commitNumber).contains(number), "forgotten, or to come")
    let slot = editor.base.slot(of: id)
    return try editor.base.changes(
      inViewAt: slot,
      since: number,
      isOneCommit: isOneCommit,
      history,
      count
    )
  }

  /// The number of the last commit.
  ///
  /// Commits made with `isRemembered` false are not counted.
  ///
  /// - Complexity: O(1).
  public var commitNumber: Int {
    @specialized(where Width == Fanout<64>)
    get { history.number }
  }

  /// Returns the number of the oldest commit since which a view's changes are known.
  ///
  /// See ``changes(of:since:isOneCommit:counting:)``.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func oldestCommit(of id: ViewID) -> Int {
    let own = editor.base.watchers[editor.base.slot(of: id)].history.oldest
    return history.isKept ? max(own, history.oldest) : history.number
  }

  /// Returns the nodes that the running transaction expanded and whose children are not loaded.
  ///
  /// Their state is `unloaded` or `failed` now. Nodes that the rule expands when they are added or
  /// moved do not count.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Returns: The nodes.
  /// - Throws: The error that `count` throws.
  /// - Complexity: O((*e* + *u*) log *n*) for *e* nodes expanded and *u* nodes touched.
  @specialized(where Width == Fanout<64>)
  public func expandedUnloaded(
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    guard editor.base.forest.hasUnloaded, let transaction = editor.transaction else { return [] }
    let slot = editor.base.slot(of: id)
    try count(transaction.readings.count)
    let byRule = editor.base.unloadedByRule(of: transaction, inViewAt: slot)
    let nodes = editor.base.watchers[slot].expanded + byRule
    return try editor.base.unloaded(among: nodes, in: id, count)
  }

  /// Returns the nodes that were expanded since a commit and whose children are not loaded.
  ///
  /// Their state is `unloaded` or `failed` now.
  ///
  /// - Parameters:
  ///   - id: The view.
  ///   - number: The number of the commit.
  ///   - count: Counts the steps.
  /// - Returns: The nodes.
  /// - Throws: The error that `count` throws.
  /// - Precondition: As ``changes(of:since:isOneCommit:counting:)``.
  /// - Complexity: O(*e* log *n*) for *e* nodes expanded, and O(changes since the commit).
  @specialized(where Width == Fanout<64>)
  public func expandedUnloaded(
    in id: ViewID,
    since number: Int,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    guard editor.base.forest.hasUnloaded else { return [] }
    let span = try editor.base.viewSpan(at: editor.base.slot(of: id), since: number, history, count)
    return try editor.base.unloaded(among: span.expanded, in: id, count)
  }

  /// Forgets the effects of all commits up to a number, for all views.
  ///
  /// - Complexity: O(views + entries removed).
  @specialized(where Width == Fanout<64>)
  public mutating func forgetHistory(through number: Int) {
    history.forget(through: number, in: &editor.base)
  }
}
