import TreeDomain
import TreeEngine

/// A tree with its sessions.
///
/// Translates between the terms of the contract (keys, sections, places, operations, change lists
/// by key) and those of the engine (nodes, indexes, splices). It takes no lock: ``LockedTree``
/// does. It reads no clock: the caller passes the time.
struct TreeManager: ~Copyable {
  /// True if the tree belongs to a single session and ends with it.
  let isPrivate: Bool
  var content: TreeContent
  /// The sessions that are awake.
  var sessions = OpenSessions()
  var asleep = SleepingSessions()
  var retries = RetryCache()
  /// The time of the current call in seconds.
  var time = 0
  /// The state of copying.
  var copying = TreeCopying()
  /// The number of transactions that the journal has to record.
  var changeCount = 0
  /// The state of the journal; nil if the tree is in memory only.
  var journal: TreeJournal?
  /// Counts running exports, which share the tree's memory.
  let exports = LiveExports()

  var id: TreeID { content.id }
  var limits: SessionLimits { content.limits }
  var meter: WorkMeter { content.meter }
  var hasEnded: Bool { content.hasEnded }
  var nodeCount: Int { content.nodeCount }
  var treeRevision: Revision { content.treeRevision }

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
    self.isPrivate = isPrivate
    content = TreeContent(
      id: id,
      limits: limits,
      account: TreeAccount(usage, chargedTo: control?.payer),
      sort: new.sort,
      dataCommits: DataCommits(count: revision.number)
    )
    let meter = content.meter
    meter.begin(control)
    defer { meter.begin(nil) }
    var batch = Batch(bytes: new.bytes, operations: [], nodes: new.nodes)
    batch.rootSections = new.rootSections
    guard new.sections.count <= limits.maxSections else { throw .tooManySections(limits) }
    let nameBytes = new.sections.reduce(0) { $0 + $1.count }
    guard nameBytes <= limits.maxSectionNameBytes else { throw .tooLongSections(limits) }
    begin()
    let names = new.sections.isEmpty ? [[]] : new.sections.map { Array(new[$0]) }
    content.addSections(named: names, at: 0)
    do throws(ServiceError) {
      for run in batch.rootRuns(isSorted: !new.sort.isEmpty) {
        let section = try content.section(ofNested: run.lowerBound, in: batch)
        try content.insert(run, of: batch, under: section, .default)
      }
    } catch {
      undo()
      content.account.count(TreeUsage())
      throw error
    }
    content.tree.commit()
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
    self.init(
      TreeContent(id: id, limits: limits, account: TreeAccount(usage)),
      isPrivate: isPrivate
    )
    journal = TreeJournal(number: number, isLoaded: false)
  }

  /// Makes a tree without sessions.
  init(_ content: consuming TreeContent, isPrivate: Bool) {
    self.content = content
    self.isPrivate = isPrivate
  }

  /// Removes the tree from memory; a stored tree can be read again.
  mutating func leave() {
    content.account.count(TreeUsage())
    guard let journal else { return }
    for session in sessions.withFollowers {
      for follower in session.followers { follower.interrupt() }
    }
    let meter = meter
    self = TreeManager(
      absent: id,
      journal.number,
      isPrivate: isPrivate,
      limits: limits,
      usage: content.account.usage
    )
    content.meter = meter
  }

  /// Ends the tree, because it is no longer stored.
  mutating func endForGood() {
    content.endForGood()
    journal?.recordLoaded()
  }

  /// The ids of all sessions, awake and asleep.
  var sessionIDs: [SessionID] { Array(sessions.keys) + Array(asleep.sessions.keys) }

  // MARK: Transactions

  /// Begins a transaction; see ``TreeContent/begin(listLimit:)``.
  mutating func begin(listLimit: Int = .max) {
    countChange()
    content.begin(listLimit: listLimit)
  }

  /// Rolls the transaction back.
  ///
  /// Does nothing for a copy, which is not used after that.
  mutating func undo() {
    if copying.isCopy { return }
    content.rollBack()
    copying.log?.skip()
    countUsage()
  }

  // MARK: Descriptions

  /// The durability of the tree's current state, for answers that describe it.
  var pendingDurability: Durability {
    if copying.isCopy { return copying.durability }
    guard let last = journal?.last, !last.isResolved || last.loss != nil else {
      return Durability()
    }
    return last
  }

  /// Returns the description of the tree.
  func description() -> TreeDescription {
    var arena = AnswerArena()
    return TreeDescription(
      tree: id,
      revision: treeRevision,
      nodeCount: nodeCount,
      sections: arena.append(content.sections.shown),
      sort: content.sort,
      arena: arena.bytes
    )
  }

  /// Updates a description after a transaction.
  func renew(_ description: inout TreeDescription) {
    guard !content.sections.haveChanged else { return description = self.description() }
    description.revision = treeRevision
    description.nodeCount = nodeCount
  }

  /// The new stored description.
  ///
  /// Nil for a private tree, or if the last transaction changed neither sections nor the order.
  var newAbout: [UInt8]? {
    guard !isPrivate, content.hasNewDescription else { return nil }
    return description().about
  }

  // MARK: Memory

  /// The current memory and counts of the tree with its sessions.
  ///
  /// - Complexity: O(level indexes).
  var held: TreeUsage {
    var account = content.account
    account.setOthers(others)
    return account.total(content.ownUsage)
  }

  /// The amounts besides the content; nil for a copy, which has those of its original.
  private var others: TreeAccount.Others? {
    if copying.isCopy { return nil }
    return TreeAccount.Others(
      sessions: sessions.count,
      asleep: asleep.byteCount,
      log: copying.log?.byteCount ?? 0,
      description: content.sections.descriptionBytes
    )
  }

  /// Updates the totals of the service.
  mutating func countUsage() {
    content.account.setOthers(others)
    content.countUsage()
  }

  /// The memory of all answers for retries in bytes, computed anew.
  ///
  /// - Complexity: O(sessions + bytes of the details of sleeping ones).
  var replayWeight: Int { retries.weight(with: sessions, asleep) }

  /// Removes expired answers of the tree and of its awake sessions.
  mutating func forgetOldAnswers(at now: Int) {
    retries.forgetOld(at: now, of: sessions, in: &content)
  }

  /// Removes expired answers of some sleeping sessions.
  mutating func forgetOldAnswers(ofSleeping ids: ArraySlice<SessionID>, at now: Int) {
    let before = content.account.replayBytes
    retries.forgetOld(ofSleeping: ids, at: now, &asleep, in: &content)
    // Their details have fewer bytes now.
    if content.account.replayBytes != before { countUsage() }
  }

  /// True if enough memory is unused to make ``compact()`` worthwhile.
  ///
  /// - Complexity: O(1).
  var wantsCompaction: Bool { !hasEnded && content.tree.wantsCompaction }

  /// Frees unused memory, and updates everything that refers to nodes by id.
  ///
  /// Small reads meanwhile read a copy, if there is memory for it.
  ///
  /// - Complexity: That of ``SizedTree/compact(passing:)``.
  mutating func compact() {
    if content.account.usage.memory.hasRoom(for: held.bytes) {
      publishCopy(before: WorkSize(nodes: nodeCount))
    }
    copying.changes += 1
    asleep.renumber(content.compact())
    countUsage()
  }

  /// Ends the tree and its sessions, and frees its memory.
  ///
  /// Calls that found the tree or a session before, and lock the tree only now, get an error. The
  /// nodes are freed here, on a thread that may take long, not by the last reference.
  ///
  /// - Parameter reason: The reason for followers.
  /// - Returns: The sessions that ended.
  /// - Throws: `tree-not-found` if it has ended already, and the errors of
  ///   ``TreeContent/demand(_:)``.
  mutating func end(telling reason: ServiceError) throws(ServiceError) -> [SessionID] {
    guard !hasEnded else { throw .treeNotFound }
    try content.demand(WorkSize(nodes: nodeCount + sessions.count + asleep.sessions.count))
    for session in sessions.withFollowers { end(followersOf: session, reason) }
    let ended = sessionIDs
    sessions = OpenSessions()
    asleep = SleepingSessions()
    retries = RetryCache()
    content.end()
    return ended
  }
}
