import TreeDomain
import TreeEngine

// Copies for reads and for preparing changes, while the tree itself changes.
extension TreeManager {
  /// Returns an independent copy of the tree with copies of some of its sessions.
  ///
  /// The tree and the copy share each chunk of memory until one of them changes it. The copy has no
  /// journal, no followers, and a meter of its own. A change of it ends with a pending commit.
  ///
  /// - Precondition: No transaction is running, and the tree has not ended.
  /// - Complexity: O(*s*) for *s* copied sessions.
  func fork(with sessions: some Sequence<OpenSession>) -> TreeManager {
    precondition(!hasEnded, "a tree that has ended is not read")
    return TreeManager(forking: self, sessions)
  }

  private init(forking other: borrowing TreeManager, _ sessions: some Sequence<OpenSession>) {
    isPrivate = other.isPrivate
    content = TreeContent(forking: other.content)
    time = other.time
    retries = other.retries
    copying.isCopy = true
    copying.shared = other.content.account.counted
    copying.durability = other.pendingDurability
    copying.changes = other.copying.changes
    copying.original = other.exports
    let data = content.dataCommits
    self.sessions = OpenSessions(copying: sessions, of: other.sessions, on: data)
  }

  /// Stops counting the memory that a copy has in addition to its original.
  mutating func uncountCopy() { content.account.uncount(but: copying.shared) }

  /// The number of nodes whose visits take as long as copying a session.
  private static var nodesPerCopiedSession: Int { 4 }
  /// The number of bytes whose reading takes about as long as a visit of a node.
  private static var bytesPerNode: Int { 512 }

  /// Returns true if work of a size takes longer than copying the tree with its awake sessions.
  ///
  /// A write of one node is large for many sessions, but copying them takes several times as long.
  func isWorthCopy(_ size: WorkSize) -> Bool {
    guard !size.isSmall(limits) else { return false }
    let nodes = size.nodes + size.bytes / Self.bytesPerNode
    return nodes > Self.nodesPerCopiedSession * sessions.count
  }

  /// Publishes a copy of the tree if the following write is not small.
  ///
  /// - Complexity: O(*s*) for *s* awake sessions.
  func publishCopy(before size: @autoclosure () -> WorkSize) {
    guard let published = copying.published, !meter.isSmall,
      copying.isLongCall || isWorthCopy(size())
    else { return }
    published.publish(TreeCopy(fork(with: sessions.values)))
  }

  /// Returns true if a tree has not changed since this copy of it was made.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - changes: The tree's count of changes when the copy was made.
  /// - Returns: False also if the tree has ended, or was read again.
  func isCopy(of tree: borrowing TreeManager, after changes: Int) -> Bool {
    copying.original === tree.exports && tree.copying.changes == changes && !tree.hasEnded
  }

  /// Replaces the content of the tree by that of a copy, and commits the copy's change.
  ///
  /// The former nodes remain in the copy.
  ///
  /// - Precondition: The tree has not changed since the copy was made, or its changes were replayed
  ///   on the copy. The copy has all its sessions. If the change opens a session, the tree has none
  ///   of this id.
  mutating func install(_ copy: inout TreeManager) {
    guard let pending = copy.copying.pending.take() else {
      preconditionFailure("a copy without a change is installed")
    }
    // The commit takes long if much was changed.
    let weight = copy.content.tree.transactionWeight
    copy.content.tree.freeReservedNodes()
    publishCopy(before: WorkSize(bytes: weight))
    // The commit itself does not stop for others, and small reads have the published copy.
    content.meter.pause()
    content.install(&copy.content)
    copying.changes += 1
    swap(&copying.events, &copy.copying.events)
    defer { copying.events = PreparedEvents() }
    let changed = pending.author.flatMap { copy.sessions[$0] }
    if pending.isOpening, let changed {
      return commit(opening: OpenSession(changed, on: content.dataCommits))
    }
    let author = pending.author.flatMap { sessions[$0] }
    if let author, let changed { author.options = changed.options }
    commit(isData: pending.isData, author: author)
  }
}

// A long change is prepared on a copy. Small changes that others make meanwhile are replayed on the
// copy before the long one. None of this needs the lock of the tree.
extension TreeManager {
  /// Makes a copy for a long change.
  ///
  /// - Parameters:
  ///   - isLogged: True to log the changes of the tree from now on, if they can be replayed on the
  ///     copy.
  ///   - isGuarded: True to make small calls wait if their changes cannot be replayed.
  /// - Returns: The copy.
  mutating func beginCopy(isLogged: Bool, isGuarded: Bool = false) -> BegunCopy {
    let log = isLogged ? ChangeLog(isGuarded: isGuarded) : nil
    copying.log = log
    let copy = TreeCopy(fork(with: sessions.values))
    copy.manager.copying.events = PreparedEvents(for: sessions)
    if log != nil { copy.manager.content.tree.reserveNodes() }
    return BegunCopy(copy: copy, log: log)
  }

  /// Does the part of a commit on this copy that needs no lock of the tree.
  mutating func prepareCommit() {
    let meter = meter
    content.tree.prepareCommit { meter.pass($0) }
  }

  /// Makes the events of the change of this copy that are not known.
  ///
  /// - Throws: The errors of the meter.
  mutating func prepareEvents() throws(ServiceError) {
    var events = PreparedEvents()
    swap(&events, &copying.events)
    try events.complete(on: self)
    swap(&events, &copying.events)
  }

  /// Checks that the running call may make a change that cannot be replayed on a copy, such as
  /// opening a session.
  ///
  /// - Throws: The error of ``Attempt/refuse()`` while a copy is guarded. The call then continues
  ///   after the change that is prepared on the copy.
  func admitOtherKind() throws(ServiceError) {
    guard let log = copying.log else { return }
    if log.isGuarded { try meter.demandTime() }
    log.recordOtherKind()
  }

  /// Counts a transaction that begins, and makes the engine record it if there is a log.
  mutating func countChange() {
    copying.changes += 1
    content.tree.isRecording = copying.log != nil
  }

  /// Logs a commit while a copy is used.
  ///
  /// `isChange` is false if the commit changed nothing.
  mutating func logCommit(isChange: Bool) {
    guard let log = copying.log else { return }
    let record = content.tree.popRecord()
    guard isChange else { return log.skip() }
    guard let entry = copying.request, let record, entry.canBeReplayed else { return log.void() }
    log.add(ChangeLog.Change(entry: entry, record: record))
  }

  /// Replays changes of the original on this copy, before the change that was made on the copy.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - impact: The impact of the change that was made on this copy.
  /// - Returns: False if a replayed change cannot precede the one of this copy, or has another
  ///   effect here. The copy is then useless.
  mutating func replay(_ changes: [ChangeLog.Change], beneath impact: ChangeImpact) -> Bool {
    if changes.isEmpty { return true }
    guard content.tree.canSetAside else { return false }
    let pending = copying.pending
    let savepoint = content.setAside(impact.nodes)
    for change in changes {
      copying.replay = ReplayedChange(record: change.record, orders: impact.orders)
      // The original accepted the change, so a failure here is caused by the long change.
      guard (try? replay(change.entry)) != nil, copying.replay == nil else { return false }
    }
    content.resume(savepoint)
    copying.pending = pending
    var events = PreparedEvents()
    swap(&events, &copying.events)
    events.forget(after: changes, on: self)
    swap(&events, &copying.events)
    return true
  }

  private mutating func replay(_ entry: JournalEntry) throws(ServiceError) {
    switch (entry.event, entry.session) {
    case (.batch(let batch), let id?):
      _ = try apply(batch, by: session(id), BatchOptions(format: .none), at: entry.time)
    case (.batch(let batch), nil): _ = try apply(batch, BatchOptions(), at: entry.time)
    case (.importNodes(let nodes), nil):
      let forest = try ImportForest(nodes, counting: content.meter.count)
      _ = try importNodes(forest, BatchOptions(), at: entry.time)
    default: preconditionFailure("it is not logged")
    }
  }

  /// Commits a change that is replayed, and clears ``TreeCopying/replay`` if that succeeds.
  mutating func commitReplay(isData: Bool, author: OpenSession?) {
    guard let replay = copying.replay, isData || author != nil else { return }
    let isDone = content.tree.commitBeneath(as: replay.record, changesData: isData) {
      key,
      former,
      now in
      replay.orders.contains { order in
        var keys = SortKeys(order, capacity: 2)
        for object in [former, now] {
          keys.append(.init(key: key, object: object.isEmpty ? EngineTree.null[...] : object))
        }
        return keys[0] != keys[1]
      }
    }
    guard isDone else { return }
    copying.replay = nil
    advanceRevisions(isData: isData, author: author)
  }

  /// Runs a change on a copy.
  ///
  /// - Returns: The answer that the change would get, with the durability of the copied state.
  mutating func tryOut<Answer: Acknowledged>(
    _ change: (inout TreeManager) throws(ServiceError) -> Answer
  ) throws(ServiceError) -> Answer {
    do throws(ServiceError) {
      var answer = try change(&self)
      answer.durability = pendingDurability
      return answer
    } catch {
      var error = error
      if error.code.isOfApplying { error.durability = pendingDurability }
      throw error
    }
  }

  /// Returns true if all changes that the tree made since it was copied were replayed on this copy.
  func hasCaughtUp(
    with tree: borrowing TreeManager,
    _ prepared: LockedTree.Prepared<some Acknowledged>,
    _ log: ChangeLog
  ) -> Bool {
    copying.original === tree.exports && !tree.hasEnded
      && tree.copying.changes == prepared.changesBefore + log.transactions
      && tree.content.tree.commitNumber == content.tree.commitNumber
      && tree.treeRevision == treeRevision
  }
}

extension Batch {
  /// True if an operation changes sections.
  ///
  /// - Complexity: O(operations).
  var changesSections: Bool { operations.contains(where: \.changesSections) }
}

extension JournalEntry {
  /// True if the change can be replayed on a copy.
  fileprivate var canBeReplayed: Bool {
    switch event {
    case .batch(let batch): !batch.changesSections
    case .importNodes: true
    case .makeTree, .openSession, .closeSession, .patch: false
    }
  }
}
