import Synchronization
import TreeDomain

/// A queue of changes that combines those of several clients in one commit.
///
/// While a commit waits for the disk, the next one fills. A commit for many clients costs hardly
/// more than a commit for one. A single thread writes, and no other thread blocks. A thread that is
/// about to add several works says so (``beginGroup()``), so that they share a commit.
/// ``CommitBacklog`` divides long queues into commits, and long entries into parts that are written
/// between commits.
///
/// If a commit fails because of the disk, all works in the queue are lost. The memory of their
/// trees is ahead of storage then, so they are marked as lost, to be read again. Until storage
/// works again, nothing is admitted, so that nothing else can be lost.
///
/// If little space is left, only removals are admitted. They need some space themselves, and
/// clients must be able to make room.
///
/// If storage works but refuses a change or finds damage, each work of the commit is written
/// separately. Only the work at fault is lost, with later works of its tree.
final class CommitQueue: Sendable {
  private let contents: Mutex<Contents>
  private let storage: any TreeStorage
  private let clock: @Sendable () -> Int
  private let assign: SessionStore.Assignment

  init(
    _ storage: any TreeStorage,
    unwritten: UnwrittenBytes,
    memory: MemoryAccount? = nil,
    clock: @escaping @Sendable () -> Int,
    assign: @escaping SessionStore.Assignment
  ) {
    self.storage = storage
    self.clock = clock
    self.assign = assign
    contents = Mutex(Contents(isShortOfRoom: storage.isShortOfRoom, unwritten, memory))
  }

  // Works that are never written no longer count.
  deinit { contents.withLock { $0.bytes = 0 } }

  // MARK: Adding works

  /// Checks that a change could be stored, before it is made.
  ///
  /// - Parameter isRemoval: True if the change only removes something.
  /// - Throws: `storage-full`, `storage-failed`, or `overloaded` if too many bytes wait to be
  ///   written.
  func admit(isRemoval: @autoclosure () -> Bool = false) throws(ServiceError) {
    let (isUsual, isShort) = contents.withLock { contents in
      (!contents.isFailing && !contents.unwritten.areTooMany, contents.isShortOfRoom)
    }
    if isUsual, !isShort || isRemoval() { return }
    let now = clock()
    let (refusal, trial) = contents.withLock { $0.refusal(at: now) }
    switch trial {
    case .storage: assign { [self] in tryAgain() }
    case .room: assign { [self] in lookForRoom() }
    case nil: break
    }
    if let refusal { throw refusal }
  }

  /// True if so little space is left that only removals are admitted.
  var isShortOfRoom: Bool { contents.withLock(\.isShortOfRoom) }

  /// True if nothing waits to be written.
  var isEmpty: Bool { contents.withLock { $0.count == 0 } }

  /// The number of failed commits.
  var losses: Int { contents.withLock { $0.losses } }

  /// Statistics of the queue and of commits.
  var statistics: JournalStatistics { contents.withLock(\.statistics) }

  /// Announces that the calling thread will add several works soon.
  func beginGroup() { contents.withLock { $0.openGroups += 1 } }

  /// Ends a group that ``beginGroup()`` began.
  ///
  /// Its works may be written now.
  func endGroup() {
    let isToBegin = contents.withLock { contents in
      contents.openGroups -= 1
      contents.isDue = !contents.waiting.isEmpty
      return contents.begin()
    }
    if isToBegin { assign { [self] in serve() } }
  }

  /// Appends a work that belongs to no loaded tree.
  func add(_ work: CommitWork) {
    add(of: nil, since: work.epoch, work.receipt, bytes: work.bytes) { $0.append(work) }
  }

  /// Appends a work.
  ///
  /// Works are written in the order in which they were appended. If an earlier work that this one
  /// builds on was lost, this one is lost as well.
  ///
  /// - Parameters:
  ///   - tree: The tree that is ahead of storage until the work is written, if there is one.
  ///   - epoch: The number of failed commits when the work began, if a later failure makes it
  ///     invalid.
  ///   - receipt: The receipt that gets the outcome.
  ///   - bytes: The approximate size of the work.
  ///   - append: Appends the work to the waiting ones, in place, because copying a work retains
  ///     many references.
  func add(
    of tree: LockedTree?,
    since epoch: Int? = nil,
    _ receipt: CommitReceipt,
    bytes: Int,
    _ append: (inout WaitingWorks) -> Void
  ) {
    let isToBegin = contents.withLock { contents -> Bool? in
      guard contents.takes(tree, since: epoch) else { return nil }
      append(&contents.waiting)
      contents.count(bytes)
      return contents.begin()
    }
    switch isToBegin {
    case false: return
    case true: assign { [self] in serve() }
    case nil:
      tree?.lose()
      let outlook = contents.withLock { $0.outlook }
      let before = ServiceError.storageFailed("what came before it was lost")
      receipt.resolve(outlook == .kept ? .lost(before) : outlook)
    }
  }

  /// Runs a background task on storage after the next commit, or now if there is none.
  ///
  /// Does nothing if another task waits. At most one task runs between two commits. Tasks that took
  /// the lock of storage again and again could starve others that wait for the lock.
  func addTask(_ task: @escaping @Sendable () -> Void) {
    let isToBegin = contents.withLock { $0.acceptsTask(task) }
    if isToBegin { assign { [self] in serve() } }
  }

  // MARK: The thread that writes

  /// Writes commits until nothing is ready to be written.
  private func serve() {
    var backlog = CommitBacklog()
    while let task = take(into: &backlog) {
      if !backlog.isEmpty { write(&backlog) }
      task()
    }
  }

  /// Writes one commit, and then a part of a long entry.
  private func write(_ backlog: inout CommitBacklog) {
    let (works, text) = backlog.next()
    if !works.isEmpty { write(works, text, &backlog) }
    guard !backlog.isEmpty else { return }
    writeAhead(&backlog)
  }

  /// Writes a part of a long entry, if one waits, ahead of its commit.
  private func writeAhead(_ backlog: inout CommitBacklog) {
    do throws(StorageError) {
      try backlog.writeAhead { entry, tree, bytes throws(StorageError) in
        try storage.writeAhead(entry, of: tree, bytes: bytes)
      }
    } catch {
      if error.isOfDisk {
        lose(backlog.popAll(), ServiceError(error))
      } else if let work = backlog.popLongWork() {
        refuse(work, &backlog, error)
      }
    }
  }

  private func write(_ works: [CommitWork], _ text: [UInt8], _ backlog: inout CommitBacklog) {
    do throws(StorageError) {
      try commit(works, text)
    } catch {
      if error.isOfDisk {
        lose(works + backlog.popAll(), ServiceError(error))
      } else if works.count > 1 {
        backlog.tryApart(works)
      } else {
        refuse(works[0], &backlog, error)
      }
    }
    storage.tidy()
  }

  private func commit(_ works: [CommitWork], _ text: [UInt8]) throws(StorageError) {
    let begin = ContinuousClock.now
    try storage.commit(works.changes(text))
    let end = ContinuousClock.now
    let isLookDue = contents.withLock { contents in
      contents.durations.add(end - begin)
      contents.discount(works)
      return contents.popLook(at: end)
    }
    for place in works.indices { works[place].receipt.resolve(.kept) }
    if isLookDue { lookForRoom() }
  }

  /// Checks if there is enough space to admit more than removals.
  private func lookForRoom() {
    let isShort = storage.isShortOfRoom
    contents.withLock { $0.isShortOfRoom = isShort }
  }

  /// Moves the waiting works into the backlog, unless more are about to be added.
  ///
  /// - Returns: The background task to run after the next commit, or one that does nothing; `nil`
  ///   if there is neither a task nor a work.
  private func take(into backlog: inout CommitBacklog) -> (() -> Void)? {
    let (taken, task) = contents.withLock { contents in
      let taken = contents.isReady ? contents.popAll() : nil
      defer { contents.task = nil }
      if taken == nil, backlog.isEmpty, contents.task == nil { contents.isServed = false }
      return (taken, contents.task)
    }
    if let taken { backlog.append(taken.works, taken.text) }
    return task ?? (backlog.isEmpty ? nil : {})
  }

  /// Marks a work as lost that storage refused, and all later works of the same tree.
  private func refuse(
    _ work: CommitWork,
    _ backlog: inout CommitBacklog,
    _ error: StorageError
  ) {
    let lost = [work] + backlog.take(of: work.tree)
    recordLoss(of: lost)
    let later = contents.withLock { contents in
      // Under this lock, so that nobody adds to a lost tree.
      work.tree?.lose()
      contents.losses += 1
      let later = contents.waiting.take(of: work.tree)
      contents.discount(lost)
      contents.discount(later)
      return later
    }
    recordLoss(of: later)
    for work in lost + later { work.receipt.resolve(.lost(ServiceError(error))) }
  }

  /// Marks works and everything that waits as lost.
  private func lose(_ works: [CommitWork], _ error: ServiceError) {
    let now = clock()
    recordLoss(of: works)
    let lost = contents.withLock { contents in
      let lost = works + contents.popAll().works
      contents.count = 0
      contents.bytes = 0
      contents.losses += 1
      contents.outlook = .lost(error)
      contents.nextTrial = now + 1
      // Under this lock, so that nobody adds to a lost tree.
      for work in lost { work.tree?.lose() }
      return lost
    }
    recordLoss(of: lost)
    for work in lost { work.receipt.resolve(.lost(error)) }
  }

  /// Records lost revisions in storage, before any tree continues above them.
  private func recordLoss(of works: [CommitWork]) {
    let entries = works.lazy.compactMap(\.entry)
    guard !storage.readsWait, let number = entries.map(\.number).max() else { return }
    storage.recordLoss(entry: number, revision: entries.map(\.revision).max() ?? 0)
  }

  /// If storage failed, checks now if it works again.
  func recover() {
    let isToTry = contents.withLock { contents in
      guard contents.isFailing, !contents.isServed else { return false }
      contents.isServed = true
      return true
    }
    if isToTry { tryAgain() }
  }

  /// Checks if storage works again, and serves what waits.
  private func tryAgain() {
    let outlook: ReceiptOutcome
    do throws(StorageError) {
      try storage.probe()
      outlook = .kept
    } catch {
      outlook = .lost(ServiceError(error))
    }
    contents.withLock { $0.outlook = outlook }
    // A background task may wait, or works that were added before the failure.
    serve()
  }
}
