import TreeDomain
import TreeEngine

/// A tree, and the sessions that look at it.
///
/// Translates between the vocabulary of the contract (keys, sections, places, operations, change
/// lists by key) and the engine's (nodes, indexes, splices). Knows no lock: ``LockedTree`` holds
/// one around it. Knows no clock: whoever calls says what time it is.
struct TreeManager: ~Copyable {
  typealias EngineTree = Tree<64>

  let id: TreeID
  /// Whether it lives and dies with its one session.
  let isPrivate: Bool
  /// What it may grow to, and how much it remembers.
  var limits: SessionLimits
  let usage: Usage
  var tree: EngineTree
  /// The order of siblings; empty for arrival order.
  var sort: SortOrder
  let dataCommits: DataCommits
  /// The sessions that are awake.
  var sessions: [SessionID: OpenSession] = [:]
  /// Who is told of what changes.
  var followed = FollowerCount()
  var asleep = SleepingSessions()
  /// What time it is, as those know who come to the tree.
  var time = 0
  var sections = TreeSections([])
  /// The nodes of sections by their names.
  var namedSections: [[UInt8]: NodeID] = [:]
  /// The facts about copies.
  var copying = TreeCopying()
  /// What the running transaction found.
  var before = Before()
  /// What the batch that is being applied will name soon.
  var ahead = KeysAhead()
  /// The sections before each of the newest commits that changed them, oldest first.
  var formerSections: [FormerSections] = [] {
    didSet { formerSectionBytes = formerSections.reduce(0) { $0 + $1.byteCount } }
  }
  /// The bytes of ``formerSections``.
  private(set) var formerSectionBytes = 0
  /// Tells one section's node from another's.
  var sectionCount: UInt64 = 0
  /// What is known about sorted siblings.
  var sorted = SortedSiblings()
  /// The filters of the sessions that are awake.
  var filters = SharedFilters()
  /// The sort keys that the running batch has read.
  var sortKeys = SortKeyCache()
  var replays = Replays<TreeBatchAnswer>()
  private(set) var hasEnded = false
  /// How many transactions changed something that the journal has to keep.
  var changeCount = 0
  /// What is written down about it; nil where it lives in memory only.
  var journal: TreeJournal?
  /// Counts the work of the caller of this moment; it stays when the tree leaves memory or is read.
  var meter = WorkMeter()
  /// Exports that are being read, which share the tree's memory.
  let exports = LiveExports()
  /// What the answers weigh that the tree and its sessions keep for retries.
  var replayBytes = 0
  /// The bytes that this tree has added to `usage`, for a copy including those of its original.
  var counted = TreeUsage()
  /// The bytes of the filters of sessions that are awake.
  let filterBytes = SessionBytes()
  /// The bytes that are counted for the caller who made the tree, or had it read from storage.
  var charge: MemoryCharge?

  /// What a transaction may change beside the engine's tree.
  struct Before {
    var sections = TreeSections([])
    var namedSections: [[UInt8]: NodeID] = [:]
    var sort = SortOrder([])
  }

  /// A tree with its first sections and nodes.
  ///
  /// - Throws: `duplicate-key`, `depth-limit`, `content-too-large`, `section-not-found`.
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
    // A level more than the contract's, for the sections; see TreeSections.
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

  /// A tree that is stored and not in memory.
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

  /// Leaves memory; what is stored of it stays.
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

  /// Nothing is stored of it any more.
  mutating func endForGood() {
    hasEnded = true
    journal?.noteLoaded()
  }

  /// How many batches have changed the tree.
  var treeRevision: Revision { Revision(dataCommits.count) }

  /// All sessions, awake and asleep.
  var sessionIDs: [SessionID] { Array(sessions.keys) + Array(asleep.sessions.keys) }

  // MARK: Transactions

  /// Begins a transaction; see ``SizedTree/begin(listLimit:removedLimit:)``.
  mutating func begin(listLimit: Int = .max) {
    copying.changes += 1
    before = Before(sections: sections, namedSections: namedSections, sort: sort)
    sorted.begin()
    tree.begin(listLimit: listLimit, removedLimit: limits.maxChanges)
  }

  /// Ends the transaction with nothing changed.
  ///
  /// A copy is not used any more after that, so that nothing needs to be restored there.
  mutating func undo() {
    if copying.isCopy { return }
    tree.rollback()
    sections = before.sections
    namedSections = before.namedSections
    sort = before.sort
    sorted.rollBack()
    countUsage()
  }

  /// How many nodes the contract counts.
  var nodeCount: Int { tree.nodeCount - sections.all.count }

  /// The node with a key.
  ///
  /// - Throws: `node-not-found`.
  func find(_ key: ArraySlice<UInt8>) throws(ServiceError) -> NodeID {
    guard let node = tree.node(forKey: key.span) else {
      throw ServiceError(
        .nodeNotFound,
        "The tree has no node with this key; insert it first, or name another.",
        key: key
      )
    }
    return node
  }

  /// Refuses to go on at another revision of the tree than the client goes by.
  func check(_ expected: Revision?) throws(ServiceError) {
    guard !hasEnded else { throw .treeNotFound }
    try treeRevision.check(expected)
  }

  /// What there is to say about the tree.
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

  /// Brings an earlier description up to what the last transaction did.
  func renew(_ description: inout TreeDescription) {
    guard sections == before.sections else { return description = self.description() }
    description.revision = treeRevision
    description.nodeCount = nodeCount
  }

  func sectionNames(_ arena: inout AnswerArena) -> [ByteSlice] {
    sections.shown.map { arena.append($0.name[...]) }
  }

  /// Answers that are kept for retries came, or went where the change is less than 0.
  mutating func countReplays(_ change: Int) {
    guard change != 0 else { return }
    replayBytes += change
    countUsage()
  }

  /// Counts an amount in place of what was counted of this tree before.
  mutating func count(_ amount: TreeUsage) {
    usage.replace(counted, by: amount)
    counted = amount
    charge?.set(amount.ownBytes)
  }

  /// Ends the tree and its sessions, and gives its bytes back.
  ///
  /// Whoever found one of them before, and comes to the tree only now, is told that there is none.
  /// The nodes are let go of here, by one who has time, not by the last who knows the tree.
  ///
  /// - Parameter reason: Told to followers.
  /// - Returns: The sessions that ended with it.
  /// - Throws: `tree-not-found` when it has ended already; as ``demand(_:)``.
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
    sections = TreeSections([])
    namedSections = [:]
    formerSections = []
    return ended
  }
}

extension Revision {
  /// Refuses to go on at another revision than the client goes by, of what is called so.
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
