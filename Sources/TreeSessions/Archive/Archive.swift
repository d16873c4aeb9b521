import Synchronization
import TreeDomain
import TreeEngine

/// Reads trees from storage, and passes their changes to the commit queue.
final class Archive: Sendable {
  let storage: any TreeStorage
  let queue: CommitQueue
  let clock: @Sendable () -> Int
  /// Runs long work on another thread.
  let assign: SessionStore.Assignment
  let generations: Generations
  private let nextNumber: Atomic<Int>
  /// The highest revision of each tree that lost changes, as readers saw it.
  ///
  /// It is kept while the tree is not in memory, because storage contains it only after the next
  /// entry.
  private let lostRevisions = Mutex<[TreeNumber: Revision]>([:])
  private let limits: SessionLimits
  private let usage: Usage

  /// - Throws: ``StorageError`` if the storage cannot be read.
  init(
    _ storage: any TreeStorage,
    _ queue: CommitQueue,
    _ limits: SessionLimits,
    _ usage: Usage,
    _ clock: @escaping @Sendable () -> Int,
    _ assign: @escaping SessionStore.Assignment
  ) throws(StorageError) {
    self.clock = clock
    self.assign = assign
    self.storage = storage
    self.queue = queue
    self.limits = limits
    self.usage = usage
    generations = try storage.generations()
    nextNumber = Atomic(try storage.nextTreeNumber().value)
  }

  /// Returns an unused number for a new tree.
  func makeNumber() -> TreeNumber {
    TreeNumber(nextNumber.add(1, ordering: .relaxed).oldValue)
  }

  /// Writes changes that concern no tree in memory, and that no client waits for.
  ///
  /// - Returns: The durability of the changes.
  @discardableResult
  func write(_ changes: [StorageChange]) -> Durability {
    guard !changes.isEmpty else { return Durability() }
    let receipt = CommitReceipt()
    queue.add(CommitWork(changes: changes, receipt: receipt, bytes: 128 * changes.count))
    return Durability(receipt)
  }

  /// Writes changes that concern no tree in memory, for a client.
  ///
  /// - Returns: The durability that the client has to wait for.
  /// - Throws: The errors of ``CommitQueue/admit(isRemoval:)``. Nothing is written then.
  func admit(_ changes: [StorageChange]) throws(ServiceError) -> Durability {
    try queue.admit()
    let receipt = CommitReceipt()
    queue.add(CommitWork(changes: changes, receipt: receipt, bytes: 1_024 * changes.count))
    return Durability(receipt)
  }

  /// Runs a closure that reads from storage, and turns its error into one for a client.
  static func reading<Value>(
    _ body: () throws(StorageError) -> Value
  ) throws(ServiceError) -> Value {
    do throws(StorageError) { return try body() } catch { throw ServiceError(error) }
  }

  /// Records that a tree lost changes, so that it continues above its highest revision when it is
  /// next read.
  ///
  /// If reads wait, nobody saw the lost changes, and the tree continues as if they had never been
  /// made.
  func recordLoss(of tree: borrowing TreeManager) {
    guard !storage.readsWait, let number = tree.journal?.number else { return }
    let highest = tree.highestRevision
    lostRevisions.withLock { $0[number] = max($0[number] ?? highest, highest) }
  }

  /// The number of bytes of entries that are read at a time.
  private static let pieceBytes = 4 << 20

  /// Reads a tree into memory, or ends it if it is no longer stored.
  ///
  /// - Throws: The error of storage. The tree is unchanged then.
  func load(_ tree: inout TreeManager) throws(ServiceError) {
    guard let number = tree.journal?.number else { return }
    do throws(StorageError) {
      guard let stored = try storage.tree(number) else { return tree.endForGood() }
      try read(stored, into: &tree)
    } catch {
      throw ServiceError(error, of: tree.id)
    }
  }

  /// Reads the snapshot of a stored tree, and the entries after it.
  ///
  /// - Throws: ``StorageError``. The tree is unchanged then, and no memory is counted.
  func read(_ stored: StoredTree, into tree: inout TreeManager) throws(StorageError) {
    var loaded = try begin(stored)
    do throws(StorageError) {
      try catchUp(&loaded, pausing: tree.meter)
    } catch {
      loaded.content.account.count(TreeUsage())
      throw error
    }
    loaded.content.account.charge(to: tree.meter.payer)
    loaded.enter(generation: generations.current)
    if let lost = lostRevisions.withLock({ $0[stored.number] }) {
      loaded.enter(generation: Generations.start(afterLossOf: lost))
    }
    loaded.keep(to: limits)
    loaded.countUsage()
    // The last uses are unknown here.
    let now = clock()
    for session in loaded.sessions.values { session.lastUse = now }
    loaded.content.meter = tree.meter
    tree = loaded
  }

  /// Returns the tree from the snapshot or, if there is none, from the first entry.
  private func begin(_ stored: StoredTree) throws(StorageError) -> TreeManager {
    var journal = TreeJournal(number: stored.number, isLoaded: true)
    if let snapshot = try storage.snapshot(of: stored.number) {
      var tree = try read(snapshot, counting: &journal.snapshotBytes)
      journal.lastEntry = snapshot.entry
      tree.journal = journal
      return tree
    }
    guard let first = try storage.entries(of: stored.number, after: 0, bytes: 1).first else {
      throw .damaged("tree number \(stored.number.value) has neither a snapshot nor entries")
    }
    guard usage.memory.hasRoom(for: 2 * first.body.count) else { throw usage.tooLarge }
    journal.lastEntry = 1
    let entry = try JournalEntry.decode(first.body)
    let revision = Revision(UInt64(first.revision))
    do throws(ServiceError) {
      var tree: TreeManager
      switch (entry.event, entry.session) {
      case (.makeTree(let new), nil): tree = try make(stored, new, at: revision)
      case (.openSession(let new), let id?):
        tree = try make(stored, new.ownTree, at: revision)
        do throws(ServiceError) { _ = try tree.open(id, new) } catch {
          tree.content.account.count(TreeUsage())
          throw error
        }
      default: throw ServiceError(.internalError, "it is of something else")
      }
      tree.journal = journal
      return tree
    } catch {
      throw .damaged("entry 1 of tree number \(stored.number.value) makes no tree: \(error.detail)")
    }
  }

  private func read(
    _ snapshot: StoredSnapshot,
    counting bytes: inout Int
  ) throws(StorageError) -> TreeManager {
    let likely = snapshot.likelyBytes
    guard usage.memory.reserve(likely, of: .nodes) else { throw usage.tooLarge }
    // The tree counts its own memory.
    defer { usage.memory.add(-likely, to: .nodes) }
    var reader = ManagerImageReader(limits: limits.forReplay, usage: usage)
    for index in 0..<snapshot.parts {
      let part = try storage.part(index, of: snapshot)
      bytes += part.count
      do throws(ImageError) { try reader.feed(part[...]) } catch { throw snapshot.damaged(error) }
    }
    do throws(ImageError) { return try reader.finish() } catch { throw snapshot.damaged(error) }
  }

  private func make(
    _ stored: StoredTree,
    _ new: NewTree,
    at revision: Revision
  ) throws(ServiceError) -> TreeManager {
    try TreeManager(
      id: stored.id,
      isPrivate: stored.isPrivate,
      new: new,
      at: revision,
      limits: limits.forReplay,
      usage: usage
    )
  }

  /// Applies the entries after the snapshot.
  ///
  /// Pauses between entries if other work needs the processor.
  private func catchUp(
    _ tree: inout TreeManager,
    pausing meter: WorkMeter
  ) throws(StorageError) {
    guard var journal = tree.journal else { return }
    while true {
      let entries = try storage.entries(
        of: journal.number,
        after: journal.lastEntry,
        bytes: Self.pieceBytes
      )
      guard !entries.isEmpty else { break }
      let start = ContinuousClock.now
      for stored in entries {
        meter.pause()
        let revision = Revision(UInt64(max(0, stored.revision)))
        tree.enter(generation: generations.start(of: revision, after: tree.treeRevision))
        let entry = try JournalEntry.decode(stored.body)
        guard tree.makeRoom(toReplay: entry, of: stored.body.count) else { throw usage.tooLarge }
        try tree.replay(stored, entry)
        journal.recordEntry(bytes: stored.body.count)
      }
      journal.workSinceSnapshot += start.duration(to: .now)
    }
    tree.journal = journal
  }
}

extension StoredSnapshot {
  fileprivate func damaged(_ error: ImageError) -> StorageError {
    .damaged("the snapshot of tree number \(tree.value) cannot be read (\(error))")
  }
}

extension NewSession {
  /// The content of the session's own tree.
  var ownTree: NewTree {
    var content = NewTree()
    content.bytes = bytes
    content.sort = options.sort
    content.sections = sections
    content.nodes = nodes
    content.rootSections = rootSections
    return content
  }
}
