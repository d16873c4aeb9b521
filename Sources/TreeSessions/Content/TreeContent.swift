import TreeDomain
import TreeEngine

/// The content of a tree: its nodes, sections and orders, with the running transaction and the
/// account of its memory.
///
/// Operations change it, and readings borrow it. It knows sessions only where they are passed.
struct TreeContent: ~Copyable {
  let id: TreeID
  /// The limits of the tree and its history.
  var limits: SessionLimits
  var tree: EngineTree
  let dataCommits: DataCommits
  var sections: SectionTable
  /// The order of siblings.
  var siblings: SiblingOrder
  /// The orders by which sessions sort siblings.
  var orderings = ViewOrderings()
  /// The nodes that the running batch will name next.
  var ahead = PrefetchedKeys()
  /// The view that has all nodes toggled or selected that sleeping sessions name; nil if no session
  /// has slept yet.
  var sleepingView: EngineTree.ViewID?
  /// Counts the work of the current call, even while the tree leaves memory or is read.
  var meter = WorkMeter()
  var account: TreeAccount
  /// True if the tree has ended, so that all calls that found it before get an error.
  private(set) var hasEnded = false

  /// Makes a content without sections.
  init(
    id: TreeID,
    limits: SessionLimits,
    account: TreeAccount,
    sort: SortOrder = SortOrder([]),
    sections: SectionTable = SectionTable(),
    dataCommits: DataCommits = DataCommits()
  ) {
    // Sections are a level above the contract's roots; see TreeSections.
    let tree = EngineTree(maxDepth: limits.maxDepth + 1, history: limits.history)
    self.init(id, limits, account, sort, sections, dataCommits, tree)
  }

  /// Makes a content from an engine's tree, whose sections must be read next.
  init(
    _ id: TreeID,
    _ limits: SessionLimits,
    _ account: TreeAccount,
    _ sort: SortOrder,
    _ sections: SectionTable,
    _ dataCommits: DataCommits,
    _ tree: consuming EngineTree
  ) {
    self.id = id
    self.limits = limits
    self.account = account
    self.sections = sections
    self.dataCommits = dataCommits
    siblings = SiblingOrder(sort)
    self.tree = tree
  }

  /// Makes a copy with a meter of its own.
  ///
  /// The two share each chunk of memory until one of them changes it.
  ///
  /// - Complexity: O(1).
  init(forking other: borrowing TreeContent) {
    id = other.id
    limits = other.limits
    account = TreeAccount(copying: other.account)
    tree = other.tree.fork()
    siblings = SiblingOrder(copying: other.siblings)
    orderings = other.orderings
    sections = other.sections
    dataCommits = DataCommits(other.dataCommits)
  }

  /// The revision of the tree, which counts the commits of data.
  var treeRevision: Revision { Revision(dataCommits.count) }

  /// The number of nodes, not counting those of sections.
  var nodeCount: Int { tree.nodeCount - sections.all.count }

  /// The order of siblings of the tree; empty for the order of insertion.
  var sort: SortOrder { siblings.sort }

  // MARK: Transactions

  /// Begins a transaction; see ``SizedTree/begin(listLimit:removedLimit:)``.
  mutating func begin(listLimit: Int = .max) {
    sections.begin()
    orderings.begin()
    siblings.begin()
    tree.begin(listLimit: listLimit, removedLimit: limits.maxChanges)
  }

  /// Rolls the transaction back.
  mutating func rollBack() {
    let meter = meter
    tree.rollback { meter.pass($0) }
    sections.rollBack()
    orderings.rollBack()
    siblings.rollBack()
  }

  /// True if the last transaction changed the sections or the order of the tree, which its
  /// description contains.
  var hasNewDescription: Bool { sections.haveChanged || siblings.hasNewSort }

  /// Returns true if the running transaction has a net effect on the nodes.
  ///
  /// - Throws: The errors of the meter.
  func hasDataChanges() throws(ServiceError) -> Bool {
    try tree.counted(by: meter) { tree, count throws(Interruption) in
      try tree.hasDataChanges(counting: count)
    }
  }

  /// Records the former sections if the last commit changed them.
  mutating func logSections() {
    let forgotten = sections.log(tree.commitNumber, keeping: limits.history)
    if let forgotten { tree.forgetHistory(through: forgotten) }
  }

  /// Replaces the content by that of a copy, with its running transaction.
  ///
  /// The former tree remains in the copy.
  mutating func install(_ copy: inout TreeContent) {
    swap(&tree, &copy.tree)
    siblings.install(copy.siblings)
    orderings = copy.orderings
    sections.install(copy.sections)
  }

  /// The savepoint of a transaction that is set aside.
  struct Savepoint {
    fileprivate let sections: SectionTable
    fileprivate let siblings: SiblingOrder
    fileprivate let orderings: ViewOrderings
  }

  /// Sets the running transaction aside, so that others can be made beneath it.
  mutating func setAside(_ nodes: TransactionImpact) -> Savepoint {
    tree.setAside(nodes)
    return Savepoint(sections: sections, siblings: siblings, orderings: orderings)
  }

  /// Continues a transaction that was set aside.
  mutating func resume(_ savepoint: Savepoint) {
    tree.resume()
    sections.setSavepoint(of: savepoint.sections)
    siblings.setSavepoint(of: savepoint.siblings)
    orderings.setSavepoint(of: savepoint.orderings)
  }

  /// Frees unused memory, and updates everything that refers to nodes by id.
  ///
  /// - Returns: The new ids of nodes.
  /// - Complexity: That of ``SizedTree/compact(passing:)``.
  mutating func compact() -> NodeRenumbering {
    let new = tree.compact { [meter] in meter.pass($0) }
    sections.renumber(new)
    siblings.renumber(new)
    return new
  }

  /// Ends the tree, because it is no longer stored.
  mutating func endForGood() { hasEnded = true }

  /// Ends the tree and frees its memory.
  mutating func end() {
    hasEnded = true
    account.count(TreeUsage())
    account.endReplays()
    tree = EngineTree()
    orderings = ViewOrderings()
    siblings = SiblingOrder(SortOrder([]))
    sections = SectionTable()
  }

  /// Sorts the rows of a session that is restored from an image.
  mutating func restoreOrdering(of session: OpenSession) {
    let (order, meter) = (session.options.viewSort, meter.withoutStops())
    do throws(ServiceError) {
      let ordering = try orderings.knownOrAdded(order, to: &tree, meter)
      tree.restoreOrdering(ordering, in: session.view)
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
  }

  // MARK: Keys

  /// Returns the node with a key.
  ///
  /// - Throws: `node-not-found`.
  func find(_ key: ArraySlice<UInt8>) throws(ServiceError) -> NodeID {
    if let node = tree.node(forKey: key.span) { return node }
    let detail = "The tree has no node with this key; insert it first, or name another."
    throw ServiceError(.nodeNotFound, detail, key: key)
  }

  /// Throws an error if the tree has ended, or if its revision is not the one that is expected.
  func check(_ expected: Revision?) throws(ServiceError) {
    guard !hasEnded else { throw .treeNotFound }
    try treeRevision.check(expected)
  }
}

extension Revision {
  /// Throws `revision-changed` if another revision is expected; the error says what has this one.
  func check(_ expected: Revision?, of name: StaticString = "tree") throws(ServiceError) {
    guard let expected, expected != self else { return }
    var error = ServiceError(
      .revisionChanged,
      "The \(name) is at revision \(number) now; read it again without `revision`."
    )
    error.revision = self
    throw error
  }
}
