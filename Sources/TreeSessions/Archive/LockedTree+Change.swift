import TreeDomain

// Changes with an entry in the tree's journal.
extension LockedTree {
  /// Runs a change under the tree's lock, and appends an entry to the journal if anything changed.
  ///
  /// The entry is added under the lock, so that entries are in the order of their changes. The
  /// answer waits for that entry or, if nothing changed, for the last entry before.
  ///
  /// - Parameters:
  ///   - mode: The way in which the call accesses the tree.
  ///   - entry: The request. Not evaluated if trees are not stored.
  ///   - encoded: The encoded entry, if the caller has it.
  ///   - changes: Further changes to write with the entry, given the answer.
  ///   - body: The change.
  /// - Returns: The answer, with its durability.
  /// - Throws: The errors of `body` and of ``CommitQueue/admit(isRemoval:)``.
  func change<Answer: Acknowledged>(
    _ mode: CallMode,
    _ entry: @autoclosure () -> JournalEntry,
    encoded: [UInt8]? = nil,
    also changes: (Answer) -> [StorageChange] = { _ in [] },
    _ body: (inout TreeManager) throws(ServiceError) -> sending Answer
  ) throws(ServiceError) -> Answer {
    try withTree(mode) { tree throws(ServiceError) in
      try change(&tree, entry(), encoded: encoded, also: changes, body)
    }
  }

  /// A function that appends the entry of a change before its answer is complete.
  ///
  /// Its second argument is the revision that the tree will have.
  typealias Announcement = (inout TreeManager, Revision) -> Void

  /// Runs a change on a tree that the caller has locked.
  func change<Answer: Acknowledged>(
    _ tree: inout TreeManager,
    _ makeEntry: @autoclosure () -> JournalEntry,
    encoded: [UInt8]? = nil,
    also changes: (Answer) -> [StorageChange] = { _ in [] },
    _ body: (inout TreeManager) throws(ServiceError) -> Answer
  ) throws(ServiceError) -> Answer {
    try change(&tree, makeEntry(), encoded, changes) { tree, _ throws(ServiceError) in
      try body(&tree)
    }
  }

  /// Runs a change, which may announce its entry, on a tree that the caller has locked.
  ///
  /// The change may announce once, and must not throw after that. The entry is written while the
  /// answer is being made.
  func change<Answer: Acknowledged>(
    _ tree: inout TreeManager,
    _ makeEntry: @autoclosure () -> JournalEntry,
    _ encoded: [UInt8]?,
    _ changes: (Answer) -> [StorageChange],
    announcing body: (inout TreeManager, Announcement) throws(ServiceError) -> Answer
  ) throws(ServiceError) -> Answer {
    let isLogged = tree.copying.log != nil
    if isLogged { tree.copying.request = makeEntry() }
    defer { if isLogged { tree.copying.request = nil } }
    guard let archive else { return try body(&tree) { _, _ in } }
    let entry = makeEntry()
    if !entry.options.isDryRun { try archive.queue.admit(isRemoval: entry.event.onlyRemoves) }
    let receipt = CommitReceipt()
    tree.journal?.beginChange(Durability(receipt))
    let start = ContinuousClock.now
    defer {
      tree.journal?.endChange(after: start.duration(to: .now))
      makeRoom(tree)
    }
    let before = tree.changeCount
    var isWritten = false
    func announce(_ tree: inout TreeManager, _ revision: Revision) {
      write(entry, encoded, [], receipt, at: revision, &tree)
      isWritten = true
    }
    do throws(ServiceError) {
      var answer = try body(&tree, announce)
      if !isWritten, tree.changeCount != before || entry.keeps(answer) {
        write(entry, encoded, changes(answer), receipt, at: tree.treeRevision, &tree)
      }
      answer.durability = tree.pendingDurability
      return answer
    } catch {
      var error = error
      if entry.keeps(error) {
        write(entry, encoded, [], receipt, at: tree.treeRevision, &tree)
      }
      if error.code.isOfApplying { error.durability = tree.pendingDurability }
      throw error
    }
  }

  /// Appends an entry to the journal.
  private func write(
    _ entry: JournalEntry,
    _ encoded: [UInt8]?,
    _ changes: [StorageChange],
    _ receipt: CommitReceipt,
    at revision: Revision,
    _ manager: inout TreeManager
  ) {
    guard let archive, let tree = number else { return }
    let bytes = encoded?.count ?? entry.weight
    manager.journal?.recordEntry(bytes: bytes, Durability(receipt))
    let place = manager.journal?.lastEntry ?? 0
    let newAbout = manager.newAbout
    let about = newAbout.map { [StorageChange.describeTree(tree, about: $0)] }
    let held = bytes + (newAbout?.count ?? 0)
    let nodeCount = manager.nodeCount
    archive.queue.add(of: self, receipt, bytes: held) { waiting in
      let entry = CommitWork.Entry(
        text: waiting.place(entry, encoded, bytes),
        number: place,
        revision: Int(revision.number),
        nodeCount: nodeCount,
        tree: tree
      )
      waiting.append(
        CommitWork(
          tree: self,
          changes: about.map { changes + $0 } ?? changes,
          entry: entry,
          receipt: receipt,
          bytes: held
        )
      )
    }
  }
}

/// The answer to a request that ended sessions or a tree.
struct Ended: Acknowledged {
  /// The sessions that ended.
  var sessions: [SessionID]
  /// The last revision of a tree that ended, if another tree may get its id.
  var retired: RetiredRevision?
  var durability = Durability()
  var wasReplayed: Bool { false }
}

extension JournalEntry {
  /// Returns true if an answer is stored for retries, even if nothing changed.
  fileprivate func keeps(_ answer: some Acknowledged) -> Bool {
    options.idempotency != nil && !options.isDryRun && !answer.wasReplayed
  }

  /// Returns true if a refusal is stored for retries.
  fileprivate func keeps(_ refusal: ServiceError) -> Bool {
    options.idempotency != nil && !options.isDryRun && !refusal.wasReplayed
      && refusal.code.isOfApplying
  }

  /// The approximate size in bytes.
  fileprivate var weight: Int {
    let body =
      switch event {
      case .makeTree(let tree): tree.bytes.count
      case .openSession(let session): session.bytes.count
      case .closeSession: 0
      case .batch(let batch): batch.bytes.count
      case .patch(let patch): patch.body?.count ?? 0
      case .importNodes(let nodes): nodes.parts.reduce(0) { $0 + $1.bytes.count }
      }
    return body + 128
  }
}

// Ending trees and sessions, in memory and in storage.
extension LockedTree {
  /// Ends a session.
  ///
  /// Ends the tree as well if it belongs to the session alone.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - tree: The tree, which the caller has locked.
  ///   - expired: True to store the session's id as expired.
  ///   - now: The time in seconds.
  ///   - kept: Returns changes that store the answer for retries.
  /// - Returns: The session, if it existed.
  /// - Throws: The errors of ``TreeContent/demand(_:)`` and of ``CommitQueue/admit(isRemoval:)``.
  func close(
    _ id: SessionID,
    in tree: inout TreeManager,
    expired: Bool,
    at now: Int,
    keeping kept: () -> [StorageChange] = { [] }
  ) throws(ServiceError) -> Ended {
    try change(
      &tree,
      JournalEntry(.closeSession, of: id, at: now),
      also: { _ in [.removeSession(id, expired: expired)] + deletion(ifPrivate: true) + kept() },
      { tree throws(ServiceError) in
        Ended(sessions: try tree.close(id, expired: expired) ? [id] : [])
      }
    )
  }

  /// Ends the tree and all its sessions.
  ///
  /// - Parameters:
  ///   - tree: The tree, which the caller has locked.
  ///   - now: The time in seconds.
  ///   - kept: Returns changes that store the answer for retries.
  /// - Returns: The sessions that ended.
  /// - Throws: `tree-not-found` if the tree has ended already, and the errors of
  ///   ``TreeContent/demand(_:)`` and of ``CommitQueue/admit(isRemoval:)``.
  func end(
    _ tree: inout TreeManager,
    at now: Int,
    keeping kept: () -> [StorageChange]
  ) throws(ServiceError) -> Ended {
    let retired = retired(at: tree.treeRevision)
    return try change(
      &tree,
      JournalEntry(.closeSession, at: now),
      also: { ended in
        deletion(ifPrivate: false) + (ended.retired.map { [.retire($0)] } ?? []) + kept()
      },
      { tree throws(ServiceError) in
        let ended = Ended(sessions: try tree.end(telling: .treeDeleted), retired: retired)
        tree.changeCount += 1
        return ended
      }
    )
  }

  /// The revision above which another tree with the same id begins; `nil` if ids of this kind are
  /// not reused.
  var retired: RetiredRevision? { retired(at: description.revision) }

  private func retired(at revision: Revision) -> RetiredRevision? {
    RetiredRevision.slot(of: id).map { RetiredRevision(slot: $0, revision: revision) }
  }

  /// Returns the change that adds the tree to storage, if it has storage and ``isPrivate`` is as
  /// wanted.
  func making(ifPrivate isWanted: Bool) -> [StorageChange] {
    guard let number, isPrivate == isWanted else { return [] }
    let about = shownAbout
    return [.makeTree(StoredTree(number: number, id: id, isPrivate: isPrivate, about: about))]
  }

  private func deletion(ifPrivate isWanted: Bool) -> [StorageChange] {
    guard let number, isPrivate == isWanted else { return [] }
    return [.deleteTree(number)]
  }
}
