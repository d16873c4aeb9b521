import TreeDomain

// Changes, which are written to the tree's journal.
extension LockedTree {
  /// Works on the tree, alone, and has what that changed written to its journal.
  ///
  /// The entry is added while the tree is still held, so that entries are in the order of what they
  /// tell. The answer says what it has to wait for: for that entry, or, where nothing was changed,
  /// for the last one before it.
  ///
  /// - Parameters:
  ///   - mode: How much time the caller has.
  ///   - entry: What is asked for; made only where trees are kept.
  ///   - encoded: The entry's text, where it is made already.
  ///   - changes: What is to be written with it, given the answer.
  ///   - body: The work.
  /// - Returns: The answer, with what it waits for.
  /// - Throws: What the work does, and what ``CommitQueue/admit()`` does.
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

  /// Adds the entry of a change that is made, while its answer is still to be put together; given
  /// the revision that the tree will have.
  typealias Announcement = (inout TreeManager, Revision) -> Void

  /// The same where the change is made long before its answer is there: once the work announces it,
  /// which it may do once, and throw nothing after that, it is on its way to the disk.
  func change<Answer: Acknowledged>(
    _ mode: CallMode,
    _ entry: @autoclosure () -> JournalEntry,
    announcing body: (inout TreeManager, Announcement) throws(ServiceError) -> sending Answer
  ) throws(ServiceError) -> Answer {
    try withTree(mode) { tree throws(ServiceError) in
      try change(&tree, entry(), nil, { _ in [] }, announcing: body)
    }
  }

  /// The same for one who holds the tree already.
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

  /// The same, with all that there may be to it.
  func change<Answer: Acknowledged>(
    _ tree: inout TreeManager,
    _ makeEntry: @autoclosure () -> JournalEntry,
    _ encoded: [UInt8]?,
    _ changes: (Answer) -> [StorageChange],
    announcing body: (inout TreeManager, Announcement) throws(ServiceError) -> Answer
  ) throws(ServiceError) -> Answer {
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

  /// Adds an entry to the journal.
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
    manager.journal?.noteEntry(bytes: bytes, Durability(receipt))
    let place = manager.journal?.lastEntry ?? 0
    let about = manager.newAbout.map { [StorageChange.describeTree(tree, about: $0)] }
    let nodeCount = manager.nodeCount
    archive.queue.add(of: self, receipt, bytes: bytes) { waiting in
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
          bytes: bytes
        )
      )
    }
  }
}

extension TreeManager {
  /// What whoever tells of the tree as it is has to wait for.
  var pendingDurability: Durability {
    if copying.isCopy { return copying.durability }
    guard let last = journal?.last, !last.isSettled || last.loss != nil else {
      return Durability()
    }
    return last
  }
}

/// The answer to a request that ended something.
struct Ended: Acknowledged {
  /// The sessions that ended.
  var sessions: [SessionID]
  /// The revision of the tree that ended with them, if another one may be made under its id.
  var retired: RetiredRevision?
  var durability = Durability()
  var wasReplayed: Bool { false }
}

extension JournalEntry {
  /// Whether an answer is kept for a retry, though nothing may have changed.
  fileprivate func keeps(_ answer: some Acknowledged) -> Bool {
    options.idempotency != nil && !options.isDryRun && !answer.wasReplayed
  }

  /// Whether a refusal is.
  fileprivate func keeps(_ refusal: ServiceError) -> Bool {
    options.idempotency != nil && !options.isDryRun && !refusal.wasReplayed
      && refusal.code.isOfApplying
  }

  /// About how many bytes it takes.
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
