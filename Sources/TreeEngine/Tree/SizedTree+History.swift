// What changed in views, in the running transaction and since earlier commits; and memory.
extension SizedTree {
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
    return try stillUnloaded(editor.base.watchers[slot].expanded + byRule, in: id, count)
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
    return try stillUnloaded(span.expanded, in: id, count)
  }

  private func stillUnloaded(
    _ nodes: [NodeID],
    in id: ViewID,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    var seen: Set<NodeID> = []
    var unloaded: [NodeID] = []
    for node in nodes {
      try count(1)
      let isWanted =
        editor.base.forest.isAttached(node) && editor.base.forest.isUnloaded(node)
        && editor.base.isExpanded(node, in: id)
      if isWanted, seen.insert(node).inserted { unloaded.append(node) }
    }
    return unloaded
  }

  /// Forgets the effects of all commits up to a number, for all views.
  ///
  /// - Complexity: O(views + entries removed).
  @specialized(where Width == Fanout<64>)
  public mutating func forgetHistory(through number: Int) {
    history.forget(through: number, in: &editor.base)
  }

  // MARK: Memory

  /// The memory of the tree and its views, in bytes.
  ///
  /// Changes of views by a running transaction are counted when it ends.
  ///
  /// - Complexity: O(level indexes), of which there are few.
  public var memory: TreeMemory {
    @specialized(where Width == Fanout<64>)
    get {
      var memory = TreeMemory()
      memory.nodes = editor.base.forest.structureBytes + editor.base.indexes.byteCount
      memory.content =
        editor.base.forest.keyArena.byteCount + editor.base.forest.objectArena.byteCount
      memory.views = editor.base.memory.views + editor.base.watchers.byteCount
      memory.layers =
        editor.base.memory.layers + editor.base.orderings.reduce(0) { $0 + $1.byteCount }
      memory.selections = editor.base.memory.selections
      memory.history = history.data.byteCount + history.viewBytes
      memory.transaction = transactionWeight
      memory.snapshots = editor.base.forest.copiedBytes
      return memory
    }
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

  /// An upper bound of the memory of one more ordering and of making it, in bytes.
  ///
  /// - Complexity: O(1).
  public var orderingBytes: Int {
    @specialized(where Width == Fanout<64>)
    get { editor.base.forest.nodeCount * Self.bytesPerOrderedNode }
  }

  /// The bytes of a record and an entry, and of the lists out of which they are made.
  private static var bytesPerOrderedNode: Int { 96 }

  /// Returns the memory of `count` nodes without their keys and objects, in bytes.
  ///
  /// - Complexity: O(1).
  public static func byteCount(ofNodes count: Int) -> Int { count * 64 }

  /// The memory of a toggled node in a view, in bytes.
  public static var bytesPerToggle: Int { 2 * MemoryLayout<View<Width>.Mark>.stride + 64 }

  /// The approximate memory of a selected node in a view, in bytes.
  public static var bytesPerSelectedNode: Int { 3 * MemoryLayout<NodeID>.stride }

  /// Returns the memory of a view in bytes, as it was last counted.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func viewBytes(of id: ViewID) -> Int {
    let memory = editor.base.watchers[editor.base.slot(of: id)].countedMemory
    return memory.views + memory.layers + memory.selections
  }

  /// Returns the maximum memory that a new rule takes, without toggles; 0 if it needs no new index.
  ///
  /// - Complexity: O(rules of levels).
  @specialized(where Width == Fanout<64>)
  public func ruleBytes(of rule: ExpansionRule) -> Int {
    // The leaves of the forest may be half full.
    let leaves = 1 + 2 * editor.base.forest.nodeCount / Width.fanout
    return isIndexed(rule) ? 0 : LevelIndex<Width>.byteCount(ofLeaves: leaves)
  }

  /// The approximate memory of the running transaction in bytes; 0 without one.
  ///
  /// - Complexity: O(1).
  public var transactionWeight: Int {
    @specialized(where Width == Fanout<64>)
    get { editor.transaction?.weight ?? 0 }
  }
}
