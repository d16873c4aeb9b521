import TreeDomain
import TreeEngine

/// A tree with its sessions.
///
/// Translates between the terms of the contract (keys, sections, places, operations, change lists
/// by key) and those of the engine (nodes, indexes, splices). It takes no lock: ``LockedTree``
/// does. It reads no clock: the caller passes the time.
struct TreeManager: ~Copyable {
  typealias EngineTree = Tree<64>

  let id: TreeID
  /// True if the tree belongs to a single session and ends with it.
  let isPrivate: Bool
  /// The limits of the tree and its history.
  var limits: SessionLimits
  let usage: Usage
  var tree: EngineTree
  /// The order of siblings; empty for the order of insertion.
  var sort: SortOrder
  let dataCommits: DataCommits
  /// The sessions that are awake.
  var sessions: [SessionID: OpenSession] = [:]
  /// The numbers of followed sessions and groups of followers.
  var followed = FollowerCount()
  var asleep = SleepingSessions()
  /// The time of the current call in seconds.
  var time = 0
  var sections = TreeSections([])
  /// The nodes of sections by name.
  var namedSections: [[UInt8]: NodeID] = [:]
  /// The state of copying.
  var copying = TreeCopying()
  /// The state to restore on a rollback, besides that of the engine's tree.
  var before = Before()
  /// The nodes that the running batch will name next.
  var ahead = PrefetchedKeys()
  /// The sections before each of the newest commits that changed them, oldest first.
  var formerSections: [FormerSections] = [] {
    didSet { formerSectionBytes = formerSections.reduce(0) { $0 + $1.byteCount } }
  }
  /// The memory of ``formerSections`` in bytes.
  private(set) var formerSectionBytes = 0
  /// The number of sections made so far, from which the keys of their nodes are made.
  var sectionCount: UInt64 = 0
  /// The nodes whose children are known to be sorted.
  var sorted = SortedSiblings()
  /// The filters of awake sessions.
  var filters = SharedFilters()
  /// The orders by which sessions sort siblings, by the ids of the engine's orderings.
  var viewSorts: [OrderingID: SortOrder] = [:]
  /// The sort keys that the running batch has read.
  var sortKeys = SortKeyCache()
  var replays = Replays<TreeBatchAnswer>()
  private(set) var hasEnded = false
  /// The number of transactions that the journal has to record.
  var changeCount = 0
  /// The state of the journal; nil if the tree is in memory only.
  var journal: TreeJournal?
  /// Counts the work of the current call, even while the tree leaves memory or is read.
  var meter = WorkMeter()
  /// Counts running exports, which share the tree's memory.
  let exports = LiveExports()
  /// The memory of answers for retries, of the tree and its sessions, in bytes.
  var replayBytes = 0
  /// The amounts that this tree has added to `usage`; for a copy including those of its original.
  var counted = TreeUsage()
  /// The memory of the filters and orders of awake sessions.
  let optionBytes = SessionBytes()
  /// The memory that is charged to the caller that created the tree or caused its read.
  var charge: MemoryCharge?

  /// The savepoint of a transaction, besides that of the engine's tree.
  struct Before {
    var sections = TreeSections([])
    var namedSections: [[UInt8]: NodeID] = [:]
    var sort = SortOrder([])
    var viewSorts: [OrderingID: SortOrder] = [:]
  }

  /// Makes a tree with its first sections and nodes.
  ///
  /// - Throws: `duplicate-key`, `depth-limit`, `content-too-large`, `section-not-found`,
  ///   `overloaded`.
  /// - Complexity: O((*s* + *m*) log *n*) for *s* sections and *m* nodes.
  init(
    id: TreeID,
    isPrivate: Bool,
    new: NewTree,
    at revision: Revision,
    limits: SessionLimits,
    usage: Usage,
    control: (any WorkControl)? = nil
  ) throws(ServiceError) {
    meter.begin(control)
    defer { meter.begin(nil) }
    self.id = id
    self.isPrivate = isPrivate
    self.limits = limits
    self.usage = usage
    sort = new.sort
    dataCommits = DataCommits(count: revision.number)
    charge = usage.callers.charge(to: meter.payer)
    // Sections are a level above the contract's roots; see TreeSections.
    tree = EngineTree(maxDepth: limits.maxDepth + 1, history: limits.history)
    var batch = Batch(bytes: new.bytes, operations: [], nodes: new.nodes)
    batch.rootSections = new.rootSections
    guard new.sections.count <= limits.maxSections else { throw Self.tooManySections(limits) }
    begin()
    addSections(named: new.sections.isEmpty ? [[]] : new.sections.map { Array(new[$0]) }, at: 0)
    do throws(ServiceError) {
      for run in batch.rootRuns(isSorted: !sort.isEmpty) {
        let section = try section(ofNested: run.lowerBound, in: batch)
        try insert(run, of: batch, under: section, .default)
      }
    } catch {
      undo()
      count(TreeUsage())
      throw error
    }
    tree.commit()
    countUsage()
  }

  /// Makes a tree that is stored and not in memory.
  init(
    absent id: TreeID,
    _ number: TreeNumber,
    isPrivate: Bool,
    limits: SessionLimits,
    usage: Usage
  ) {
    self.id = id
    self.isPrivate = isPrivate
    self.limits = limits
    self.usage = usage
    sort = SortOrder([])
    dataCommits = DataCommits()
    tree = EngineTree(maxDepth: limits.maxDepth + 1, history: limits.history)
    journal = TreeJournal(number: number, isLoaded: false)
  }

  /// Removes the tree from memory; a stored tree can be read again.
  mutating func leave() {
    count(TreeUsage())
    guard let journal else { return }
    for session in sessions.values {
      for follower in session.followers { follower.interrupt() }
    }
    let meter = meter
    self = TreeManager(
      absent: id,
      journal.number,
      isPrivate: isPrivate,
      limits: limits,
      usage: usage
    )
    self.meter = meter
  }

  /// Ends the tree, because it is no longer stored.
  mutating func endForGood() {
    hasEnded = true
    journal?.recordLoaded()
  }

  /// The revision of the tree, which counts the commits of data.
  var treeRevision: Revision { Revision(dataCommits.count) }

  /// The ids of all sessions, awake and asleep.
  var sessionIDs: [SessionID] { Array(sessions.keys) + Array(asleep.sessions.keys) }

  // MARK: Transactions

  /// Begins a transaction; see ``SizedTree/begin(listLimit:removedLimit:)``.
  mutating func begin(listLimit: Int = .max) {
    countChange()
    before = Before(
      sections: sections,
      namedSections: namedSections,
      sort: sort,
      viewSorts: viewSorts
    )
    sorted.begin()
    tree.begin(listLimit: listLimit, removedLimit: limits.maxChanges)
  }

  /// Rolls the transaction back.
  ///
  /// Does nothing for a copy, which is not used after that.
  mutating func undo() {
    if copying.isCopy { return }
    let meter = meter
    tree.rollback { meter.pass($0) }
    sections = before.sections
    namedSections = before.namedSections
    sort = before.sort
    viewSorts = before.viewSorts
    sorted.rollBack()
    copying.log?.skip()
    countUsage()
  }

  /// The number of nodes, not counting those of sections.
  var nodeCount: Int { tree.nodeCount - sections.all.count }

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

  /// Returns the description of the tree.
  func description() -> TreeDescription {
    var arena = AnswerArena()
    return TreeDescription(
      tree: id,
      revision: treeRevision,
      nodeCount: nodeCount,
      sections: sectionNames(&arena),
      sort: sort,
      arena: arena.bytes
    )
  }

  /// Updates a description after a transaction.
  func renew(_ description: inout TreeDescription) {
    guard sections == before.sections else { return description = self.description() }
    description.revision = treeRevision
    description.nodeCount = nodeCount
  }

  func sectionNames(_ arena: inout AnswerArena) -> [ByteSlice] {
    sections.shown.map { arena.append($0.name[...]) }
  }

  /// Adds a number of bytes, which may be negative, to the memory of answers for retries.
  mutating func countReplays(_ change: Int) {
    guard change != 0 else { return }
    replayBytes += change
    countUsage()
  }

  /// Replaces the counted amounts of this tree.
  mutating func count(_ amount: TreeUsage) {
    usage.replace(counted, by: amount)
    counted = amount
    charge?.set(amount.ownBytes)
  }

  /// Ends the tree and its sessions, and frees its memory.
  ///
  /// Calls that found the tree or a session before, and lock the tree only now, get an error. The
  /// nodes are freed here, on a thread that may take long, not by the last reference.
  ///
  /// - Parameter reason: The reason for followers.
  /// - Returns: The sessions that ended.
  /// - Throws: `tree-not-found` if it has ended already, and the errors of ``demand(_:)``.
  mutating func end(telling reason: ServiceError) throws(ServiceError) -> [SessionID] {
    guard !hasEnded else { throw .treeNotFound }
    try demand(WorkSize(nodes: nodeCount))
    hasEnded = true
    count(TreeUsage())
    for session in sessions.values { end(followersOf: session, reason) }
    let ended = sessionIDs
    sessions = [:]
    followed = FollowerCount()
    asleep = SleepingSessions()
    replays = Replays()
    replayBytes = 0
    tree = EngineTree()
    viewSorts = [:]
    sections = TreeSections([])
    namedSections = [:]
    formerSections = []
    return ended
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
