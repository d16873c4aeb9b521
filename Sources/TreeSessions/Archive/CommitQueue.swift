import Synchronization
import TreeDomain

/// What waits to be written to storage: all of it goes into the next commit, whoever sent it.
///
/// While one commit waits for the disk the next one fills, and a commit for one costs hardly
/// more than a commit for many. One thread writes; nobody else waits for it. Who is about to add
/// several works says so, and they go into a commit together. ``CommitBacklog`` says which works a
/// commit has where much waits.
///
/// When a commit fails, everything in it and behind it is lost: the trees that did it are ahead of
/// what is stored, and are told so, to be read anew. Until storage works again nothing is
/// taken, so that nothing is lost a second time.
///
/// Where hardly any room is left, only what takes something away is taken, so that clients can make
/// room: once there is none at all, nothing could be written any more that does.
///
/// Where storage works, but refuses something in the commit, or finds what it touches damaged, each
/// work is tried for itself, and that one alone is lost, with what its tree did since.
final class CommitQueue: Sendable {
  private let contents: Mutex<Contents>
  private let storage: any TreeStorage
  private let maxBytes: Int
  private let clock: @Sendable () -> Int
  private let assign: SessionStore.Assignment

  init(
    _ storage: any TreeStorage,
    maxBytes: Int,
    memory: MemoryAccount? = nil,
    clock: @escaping @Sendable () -> Int,
    assign: @escaping SessionStore.Assignment
  ) {
    self.storage = storage
    self.maxBytes = maxBytes
    self.clock = clock
    self.assign = assign
    contents = Mutex(Contents(isShortOfRoom: storage.isShortOfRoom, memory))
  }

  // MARK: Those who change something

  /// Asks, before anything is changed, whether that could be kept.
  ///
  /// - Parameter isRemoval: Whether all it does is to take something away.
  /// - Throws: `storage-full`, `storage-failed`; `overloaded` where too much waits already.
  func admit(isRemoval: @autoclosure () -> Bool = false) throws(ServiceError) {
    let (isUsual, isShort) = contents.withLock { contents in
      (!contents.isFailing && contents.bytes <= maxBytes, contents.isShortOfRoom)
    }
    if isUsual, !isShort || isRemoval() { return }
    let now = clock()
    let (refusal, trial) = contents.withLock { $0.refusal(at: now, maxBytes: maxBytes) }
    switch trial {
    case .storage: assign { [self] in tryAgain() }
    case .room: assign { [self] in lookForRoom() }
    case nil: break
    }
    if let refusal { throw refusal }
  }

  /// Whether hardly any room is left.
  var isShortOfRoom: Bool { contents.withLock(\.isShortOfRoom) }

  /// How many commits failed.
  var losses: Int { contents.withLock { $0.losses } }

  /// What waits at this moment, and what was written up to now.
  var statistics: JournalStatistics {
    contents.withLock { contents in
      var statistics = JournalStatistics()
      statistics.waitingWorks = contents.count
      statistics.waitingBytes = contents.bytes
      statistics.failedCommits = contents.losses
      statistics.commits = contents.durations
      return statistics
    }
  }

  /// A thread is about to add several works, one soon after another.
  func beginGroup() { contents.withLock { $0.openGroups += 1 } }

  /// It has added them.
  func endGroup() {
    let isToBegin = contents.withLock { contents in
      contents.openGroups -= 1
      contents.isDue = !contents.waiting.isEmpty
      return contents.begin()
    }
    if isToBegin { assign { [self] in serve() } }
  }

  /// Adds work of no tree, in the order in which it is to be written.
  func add(_ work: CommitWork) {
    add(of: nil, since: work.epoch, work.receipt, bytes: work.bytes) { $0.append(work) }
  }

  /// Adds work, in the order in which it is to be written.
  ///
  /// - Parameters:
  ///   - tree: The tree whose memory is ahead of storage until it is written, if that is one's.
  ///   - epoch: How many commits had failed when it was begun, where it is worth nothing after
  ///     another one.
  ///   - receipt: Is told what becomes of it.
  ///   - bytes: About how many they are.
  ///   - append: Puts the work to what waits: made there, as a copy is many references counted.
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
      receipt.settle(outlook == .kept ? .lost(before) : outlook)
    }
  }

  /// Has something done to storage that nobody waits for, after the next commit, or now if there is
  /// nothing to commit; unless something else is to be done so.
  ///
  /// Others who wait for storage take turns with it so: whoever took its lock for that again and
  /// again, however shortly, would keep them from it.
  func addErrand(_ errand: @escaping @Sendable () -> Void) {
    let isToBegin = contents.withLock { $0.takesErrand(errand) }
    if isToBegin { assign { [self] in serve() } }
  }

  // MARK: The thread that writes

  /// Writes what waits until nothing is ready to be written.
  private func serve() {
    var backlog = CommitBacklog()
    while let errand = take(into: &backlog) {
      if !backlog.isEmpty { write(&backlog) }
      errand()
    }
  }

  /// Writes one commit of what is taken.
  private func write(_ backlog: inout CommitBacklog) {
    let (works, text) = backlog.next()
    do throws(StorageError) {
      try commit(works, text)
    } catch {
      if error.isOfDisk {
        lose(works + backlog.takeAll(), ServiceError(error))
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
      return contents.takeLook(at: end)
    }
    for place in works.indices { works[place].receipt.settle(.kept) }
    if isLookDue { lookForRoom() }
  }

  /// Finds out whether there is room for all that comes.
  private func lookForRoom() {
    let isShort = storage.isShortOfRoom
    contents.withLock { $0.isShortOfRoom = isShort }
  }

  /// Takes all that waits, unless whoever adds it is about to add more.
  ///
  /// - Returns: The background task to run after the next commit, or one that does nothing; `nil`
  ///   if there is nothing to be done.
  private func take(into backlog: inout CommitBacklog) -> (() -> Void)? {
    let (taken, errand) = contents.withLock { contents in
      let taken = contents.isReady ? contents.takeAll() : nil
      defer { contents.errand = nil }
      if taken == nil, backlog.isEmpty, contents.errand == nil { contents.isServed = false }
      return (taken, contents.errand)
    }
    if let taken { backlog.append(taken.works, taken.text) }
    return errand ?? (backlog.isEmpty ? nil : {})
  }

  /// Tells whoever did what storage refuses, and whoever did anything to the same tree since.
  private func refuse(
    _ work: CommitWork,
    _ backlog: inout CommitBacklog,
    _ error: StorageError
  ) {
    let lost = [work] + backlog.take(of: work.tree)
    noteLoss(of: lost)
    let later = contents.withLock { contents in
      // Under this lock, so that nobody adds to what is lost.
      work.tree?.lose()
      contents.losses += 1
      let later = contents.waiting.take(of: work.tree)
      contents.discount(lost)
      contents.discount(later)
      return later
    }
    noteLoss(of: later)
    for work in lost + later { work.receipt.settle(.lost(ServiceError(error))) }
  }

  /// Tells everybody that what they did is not kept.
  private func lose(_ works: [CommitWork], _ error: ServiceError) {
    let now = clock()
    noteLoss(of: works)
    let lost = contents.withLock { contents in
      let lost = works + contents.takeAll().works
      contents.count = 0
      contents.bytes = 0
      contents.losses += 1
      contents.outlook = .lost(error)
      contents.nextTrial = now + 1
      // Under this lock, so that nobody adds to what is lost.
      for work in lost { work.tree?.lose() }
      return lost
    }
    noteLoss(of: lost)
    for work in lost { work.receipt.settle(.lost(error)) }
  }

  /// Has storage note that revisions were lost, before any tree continues above them.
  private func noteLoss(of works: [CommitWork]) {
    let entries = works.lazy.compactMap(\.entry)
    guard let number = entries.map(\.number).max() else { return }
    storage.noteLoss(entry: number, revision: entries.map(\.revision).max() ?? 0)
  }

  /// Finds out now whether storage works again, if it did not.
  func recover() {
    let isToTry = contents.withLock { contents in
      guard contents.isFailing, !contents.isServed else { return false }
      contents.isServed = true
      return true
    }
    if isToTry { tryAgain() }
  }

  /// Finds out whether storage works again.
  private func tryAgain() {
    let outlook: ReceiptOutcome
    do throws(StorageError) {
      try storage.probe()
      outlook = .kept
    } catch {
      outlook = .lost(ServiceError(error))
    }
    contents.withLock { $0.outlook = outlook }
    // What was to be done meanwhile.
    serve()
  }
}
