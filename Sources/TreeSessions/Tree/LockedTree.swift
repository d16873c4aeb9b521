import Glibc
import Synchronization
import TreeDomain

/// A tree with its sessions, behind a lock, and the executors of its work.
///
/// A single lock for each tree suffices. Work on a tree in memory does not block, and takes no
/// other locks except those of queues. So each operation can hold the lock from start to end.
/// Readers see one revision, and the revisions of all sessions have no gaps. Only reading the tree
/// from storage waits for a disk, and nothing else could be done with the tree before that.
///
/// An event loop never waits for the lock. If work is not small, or if the tree is busy, the loop's
/// attempt is refused. The work then runs on the tree's ``executor``, where one worker at a time
/// takes the lock and may hold it for long.
final class LockedTree: Sendable {
  let id: TreeID
  /// The executor of work that waits for this tree or takes long.
  let executor: TreeExecutor
  /// The executor of long reads, which run on copies.
  let readers: SharedExecutor
  /// The executor of small calls that found the tree busy, and need not wait for a large change.
  let latecomers: SharedExecutor
  /// The copies that are read during a large write.
  let copies = TreeCopies()
  /// The running requests that set the filter or an order of sessions.
  let claims = PatchClaims()
  private let manager: Mutex<TreeManager>
  /// True while a call that may take long holds the lock: a hint that spares others from trying.
  private let isWorkedOn = Atomic(false)
  /// True if the tree should be compacted.
  private let wantsTidying = Atomic(false)
  /// True while a compaction is queued.
  private let isTidyingQueued = Atomic(false)
  /// True if a snapshot of the tree is due.
  private let isSnapshotDue = Atomic(false)
  /// True if more sessions are awake than may stay awake while idle.
  let isCrowded = Atomic(false)
  /// True while idle sessions are being put to sleep.
  let isPuttingToSleep = Atomic(false)
  /// The description of the tree, available without the tree's lock.
  let shown: ShownTree
  /// The connection to storage; nil if the tree is in memory only.
  let archive: Archive?
  /// The tree's number in storage.
  let number: TreeNumber?
  /// True if the tree belongs to a single session and ends with it.
  let isPrivate: Bool
  /// The time of the last visit in seconds.
  private let visitTime = Atomic(0)
  private let isPresent: Atomic<Bool>
  /// True if the tree lost changes, so that it must be read again before any other access.
  private let hasLost = Atomic(false)
  private let arrivals = FollowerArrivals()
  private let clock: @Sendable () -> Int

  /// The maximum number of times that an attempt tries the lock, yielding the processor in between.
  private static let maxTries = 200

  /// - Parameters:
  ///   - manager: The tree.
  ///   - description: The description of a tree that is not in memory yet.
  ///   - executor: The executor of work that must not run on an event loop.
  ///   - clock: Returns the time in seconds.
  ///   - archive: The connection to storage; nil if the tree is in memory only.
  init(
    _ manager: consuming sending TreeManager,
    described description: TreeDescription? = nil,
    _ executor: TreeExecutor,
    _ clock: @escaping @Sendable () -> Int,
    _ archive: Archive? = nil
  ) {
    id = manager.id
    shown = ShownTree(description ?? manager.description())
    self.archive = archive
    number = manager.journal?.number
    isPresent = Atomic(manager.journal?.isLoaded ?? true)
    isPrivate = manager.isPrivate
    self.manager = Mutex(manager)
    self.executor = executor
    readers = SharedExecutor(executor)
    latecomers = SharedExecutor(executor)
    self.clock = clock
  }

  /// Runs a closure on the tree, under its lock.
  ///
  /// All writes, and all reads of the current state, use this.
  ///
  /// - Throws: The errors of the closure. An attempt that does not run on the tree's executor is
  ///   refused if the tree is busy or the work is not small. It continues on a worker.
  func withTree<Result>(
    _ mode: CallMode,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    defer { tidy() }
    if let attempt = mode.attempt, !attempt.runs(on: executor) {
      do throws(ServiceError) {
        if let result = try tryTree(attempt, body) { return result }
        if attempt.runs(on: latecomers), let result = try tryAgain(attempt, body) { return result }
        throw attempt.refuse(to: attempt.mayWait ? executor : latecomers)
      } catch {
        if attempt.isRefused { attempt.goOn(at: executor) }
        throw error
      }
    }
    let begin = ContinuousClock.now
    return try manager.withLock { tree throws(ServiceError) in
      executor.meter.addWait(since: begin)
      isWorkedOn.store(true, ordering: .relaxed)
      defer { isWorkedOn.store(false, ordering: .relaxed) }
      tree.meter.begin(mode.control)
      tree.copying.published = mode.attempt.map { _ in copies }
      tree.copying.isLongCall = mode.attempt?.job?.isLong == true
      defer {
        show(tree, to: mode.attempt)
        endPublishing(&tree)
      }
      return try visit(&tree, body)
    }
  }

  /// Withdraws the copy that was published for the call that ends.
  private func endPublishing(_ tree: inout TreeManager) {
    tree.copying.published = nil
    // Freed later, because readers may still use it.
    if copies.withdraw() { executor.add { [copies] _ in copies.dispose() } }
  }

  /// Runs a closure on the tree if the tree is not busy, and refuses work that is not small.
  ///
  /// - Returns: The result of the closure; `nil` if the tree is busy.
  func tryTree<Result>(
    _ attempt: Attempt,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result? {
    var begin: ContinuousClock.Instant?
    for _ in 0..<Self.maxTries where !isWorkedOn.load(ordering: .relaxed) {
      let result = try manager.withLockIfAvailable { tree throws(ServiceError) in
        if let begin { executor.meter.addWait(since: begin) }
        tree.meter.begin(trying: attempt)
        defer { show(tree, to: attempt) }
        return try visit(&tree, body)
      }
      if let result { return result }
      begin = begin ?? .now
      sched_yield()
    }
    return nil
  }

  /// Queues a follower, which the next call adds to its session; queues a call if necessary.
  func add(_ arrival: FollowerArrival) {
    guard arrivals.add(arrival) else { return }
    executor.add(isExclusive: false) { [self] control in
      do throws(ServiceError) {
        for _ in 0..<Self.maxTriesOnWorker {
          if try tryLock(control) { return }
          Self.waitToTry(control)
        }
      } catch {
        return arrivals.fail(error)
      }
      executor.add { [self] control in
        do throws(ServiceError) {
          try withTree(.waiting(control)) { _ in }
        } catch {
          arrivals.fail(error)
        }
      }
    }
  }

  /// Visits the tree and returns true, unless another call holds the lock.
  private func tryLock(_ control: any WorkControl) throws(ServiceError) -> Bool {
    let visited: Void? = try manager.withLockIfAvailable { tree throws(ServiceError) in
      tree.meter.begin(control)
      try visit(&tree) { _ throws(ServiceError) in }
    }
    return visited != nil
  }

  /// Ends all followers that wait for the tree.
  func failArrivals(_ error: ServiceError) { arrivals.fail(error) }

  /// Queues a snapshot and a compaction on the executor, if they are due.
  private func tidy() {
    if isSnapshotDue.exchange(false, ordering: .relaxed) {
      executor.add { [self] control in
        try? withTree(.waiting(control)) { tree throws(ServiceError) in beginSnapshot(&tree) }
      }
    }
    guard wantsTidying.load(ordering: .relaxed) else { return }
    guard !isTidyingQueued.exchange(true, ordering: .relaxed) else { return }
    executor.add { [self] control in
      // If the tree cannot be read now, it is compacted later.
      defer { isTidyingQueued.store(false, ordering: .relaxed) }
      try? withTree(.waiting(control)) { tree throws(ServiceError) in
        tree.copying.published = copies
        if tree.wantsCompaction { tree.compact() }
        wantsTidying.store(false, ordering: .relaxed)
      }
    }
  }

  /// Requests a snapshot after this visit.
  func wantSnapshot() { isSnapshotDue.store(true, ordering: .relaxed) }

  /// The time of the last visit in seconds.
  var lastVisit: Int { visitTime.load(ordering: .relaxed) }

  /// True if the tree is in memory.
  var isInMemory: Bool { isPresent.load(ordering: .relaxed) }

  /// Removes the tree from memory, unless it is followed, exported or not completely stored, and
  /// returns its sessions; nil if it was not removed.
  func leaveMemory(_ tree: inout TreeManager) -> [SessionID]? {
    let isFollowed = tree.sessions.followed.sessions > 0
    let isWritten = tree.journal.map { $0.last.isResolved && !$0.isWritingSnapshot } ?? false
    guard !isFollowed, isWritten, !isLost, !tree.exports.isAny else { return nil }
    let sessions = tree.sessionIDs
    tree.leave()
    isPresent.store(false, ordering: .relaxed)
    return sessions
  }

  /// Runs a closure on the tree, in memory or not, on its executor, without counting as a visit.
  ///
  /// `ended` is called after it, without the tree's lock.
  func look(
    _ body: @escaping @Sendable (inout TreeManager) -> Void,
    ended: @escaping @Sendable () -> Void = {}
  ) {
    executor.add { [self] control in
      manager.withLock { tree in
        tree.meter.begin(control)
        defer { tree.meter.begin(nil) }
        body(&tree)
      }
      ended()
    }
  }

  deinit {
    // No other call refers to the tree, so its memory is no longer counted.
    manager.withLock { $0.leave() }
  }

  /// True if the tree lost changes, so that it must be read again.
  var isLost: Bool { hasLost.load(ordering: .relaxed) }

  /// Marks the tree as lost, so that it is read again before any other access.
  func lose() { hasLost.store(true, ordering: .relaxed) }

  /// Reads the tree from storage, if it is not in memory or lost changes.
  ///
  /// - Throws: An error of storage. An attempt that must be small is refused.
  private func bringIn(
    _ tree: inout TreeManager,
    _ archive: Archive
  ) throws(ServiceError) {
    guard tree.journal?.isLoaded == false || isLost else { return }
    try tree.meter.demandTime()
    if isLost { archive.recordLoss(of: tree) }
    tree.leave()
    hasLost.store(false, ordering: .relaxed)
    try archive.load(&tree)
    isPresent.store(true, ordering: .relaxed)
    shown.set(tree.description())
  }

  private func visit<Result>(
    _ tree: inout sending TreeManager,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    // The tree must not retain the control of this call.
    defer { tree.meter.begin(nil) }
    let now = clock()
    visitTime.store(now, ordering: .relaxed)
    if let archive { try bringIn(&tree, archive) }
    tree.time = now
    if arrivals.isAny {
      tree.copying.published = copies
      try tree.meter.onWorker { arrivals.arrive(at: &tree, of: self) }
    }
    defer {
      isCrowded.store(tree.isCrowded, ordering: .relaxed)
      if tree.wantsCompaction { wantsTidying.store(true, ordering: .relaxed) }
      // A tree that has ended gets no snapshot, so one would be due for ever.
      if !tree.hasEnded, tree.journal?.isSnapshotDue(tree.limits) == true {
        wantSnapshot()
      }
    }
    tree.copying.shown = shown
    let revision = tree.treeRevision
    defer {
      if tree.treeRevision != revision || readsWait || shown.isOutdated { shown.renew(by: tree) }
    }
    return try body(&tree)
  }
}
