import Glibc
import Synchronization
import TreeDomain

/// A tree behind its lock, with the sessions that look at it, and the executor of its work.
///
/// One lock a tree suffices: whatever is done to a tree in memory waits for nothing and takes no
/// lock but those of queues (a follower's, the one of what is to be written), so that holding it
/// for the whole of an operation costs others on the same tree no more than the work itself,
/// readers see one revision each, and the revisions of all its sessions have no gaps. Only bringing
/// the tree into memory waits for a disk, and nobody could do anything with the tree before that.
///
/// An event loop never waits for the lock. Work that is not small, or comes while the tree is
/// worked on, is refused to it, and done on the tree's ``executor``: there one worker at a time
/// takes the lock, and may keep it.
final class LockedTree: Sendable {
  let id: TreeID
  /// The queue of work that has to wait for this tree, or takes long.
  let executor: TreeExecutor
  /// The queue of long reads, which run on copies.
  let readers: ReadExecutor
  /// The copy that is read while a large write holds the tree.
  let copies = TreeCopies()
  /// The requests that set how the rows of sessions are chosen and ordered.
  let claims = PatchClaims()
  private let manager: Mutex<TreeManager>
  /// Whether one with time is under the lock, who may stay there for long.
  ///
  /// A hint that spares others trying; the lock itself orders what happens.
  private let isWorkedOn = Atomic(false)
  /// Whether the tree wants to be compacted, and whether that waits to be done.
  private let wantsTidying = Atomic(false)
  private let isTidyingQueued = Atomic(false)
  /// Whether so much has happened that the tree is to be written down whole.
  private let isSnapshotDue = Atomic(false)
  /// Whether more sessions are awake than may be unused, and whether some are being put to sleep.
  let isCrowded = Atomic(false)
  let isPuttingToSleep = Atomic(false)
  /// What there is to say about the tree, for those who do not come to it; its lock is taken last
  /// and held for a copy.
  private let shown: Mutex<TreeDescription>
  /// Where it is kept; nil where it lives in memory only.
  let archive: Archive?
  /// Its number there.
  let number: TreeNumber?
  /// Whether it lives and dies with its one session.
  let isPrivate: Bool
  /// When somebody was last at the tree, in seconds; and whether it is in memory.
  private let visitTime = Atomic(0)
  private let isPresent: Atomic<Bool>
  /// What it did is not kept: it has to be read anew before anything else is done with it.
  private let hasLost = Atomic(false)
  private let arrivals = FollowerArrivals()
  private let clock: @Sendable () -> Int

  typealias BackgroundTask = @Sendable (inout TreeManager) throws(ServiceError) -> sending Void

  /// The number of times that an attempt tries a lock that another call holds, giving way in
  /// between: the other call may need a processor to get on.
  private static let maxTries = 200

  /// - Parameters:
  ///   - manager: The tree.
  ///   - description: What there is to say about it, where it is not in memory yet.
  ///   - executor: The queue of work that must not be done on an event loop.
  ///   - clock: Tells the time, in seconds.
  ///   - archive: Where it is kept.
  init(
    _ manager: consuming sending TreeManager,
    described description: TreeDescription? = nil,
    _ executor: TreeExecutor,
    _ clock: @escaping @Sendable () -> Int,
    _ archive: Archive? = nil
  ) {
    id = manager.id
    shown = Mutex(description ?? manager.description())
    self.archive = archive
    number = manager.journal?.number
    isPresent = Atomic(manager.journal?.isLoaded ?? true)
    isPrivate = manager.isPrivate
    self.manager = Mutex(manager)
    self.executor = executor
    readers = ReadExecutor(executor)
    self.clock = clock
  }

  /// That, as storage is to have it.
  var shownAbout: [UInt8] { description.about }

  /// What there is to say about the tree, as of the last visit that is over.
  var description: TreeDescription { shown.withLock { $0 } }

  /// Works on the tree, alone: the one way for writes, and for reads of the tree as it is now.
  ///
  /// - Throws: What the work does. An attempt that runs elsewhere than on the tree's executor is
  ///   refused if the tree is busy, or the work is not small; it goes on on the executor.
  func withTree<Result>(
    _ mode: CallMode,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    defer { tidy() }
    if let attempt = mode.attempt, !attempt.runs(on: executor) {
      do throws(ServiceError) {
        if let result = try tryTree(attempt, body) { return result }
        throw attempt.refuse()
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
      defer { endPublishing(&tree) }
      return try visit(&tree, body)
    }
  }

  /// Has the copy that was published for the call that is over read no more.
  private func endPublishing(_ tree: inout TreeManager) {
    tree.copying.published = nil
    // Later those have done who read it.
    if copies.withdraw() { executor.add { [copies] _ in copies.dispose() } }
  }

  /// Works on the tree if nobody else does, as long as the work is small.
  ///
  /// - Returns: What the work does; `nil` if somebody else works on the tree.
  func tryTree<Result>(
    _ attempt: Attempt,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result? {
    var begin: ContinuousClock.Instant?
    for _ in 0..<Self.maxTries where !isWorkedOn.load(ordering: .relaxed) {
      let result = try manager.withLockIfAvailable { tree throws(ServiceError) in
        if let begin { executor.meter.addWait(since: begin) }
        tree.meter.begin(trying: attempt)
        return try visit(&tree, body)
      }
      if let result { return result }
      begin = begin ?? .now
      sched_yield()
    }
    return nil
  }

  /// Runs a task that no client waits for: at once if it is small, else on the executor.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - failed: Called with the reason if the task throws for another reason than its size.
  func runInBackground(
    _ task: @escaping BackgroundTask,
    failed: @escaping @Sendable (ServiceError) -> Void = { _ in }
  ) {
    let attempt = Attempt()
    do throws(ServiceError) {
      try withTree(.attempt(attempt), task)
    } catch {
      guard attempt.isRefused else { return failed(error) }
      executor.add { [self] control in
        do throws(ServiceError) {
          try withTree(.waiting(control), task)
        } catch {
          failed(error)
        }
      }
    }
  }

  /// Has a follower added to its session as soon as somebody is at the tree, who reads it if it is
  /// not in memory.
  func add(_ arrival: FollowerArrival) {
    guard arrivals.add(arrival) else { return }
    executor.add { [self] control in
      do throws(ServiceError) {
        try withTree(.waiting(control)) { _ in }
      } catch {
        arrivals.fail(error)
      }
    }
  }

  /// Has the tree give back what it does not need any more, on its executor, if that is worth it.
  private func tidy() {
    if isSnapshotDue.exchange(false, ordering: .relaxed) {
      executor.add { [self] control in
        try? withTree(.waiting(control)) { tree throws(ServiceError) in beginSnapshot(&tree) }
      }
    }
    guard wantsTidying.load(ordering: .relaxed) else { return }
    guard !isTidyingQueued.exchange(true, ordering: .relaxed) else { return }
    executor.add { [self] control in
      // A tree that cannot be read now is tidied when it can be.
      defer { isTidyingQueued.store(false, ordering: .relaxed) }
      try? withTree(.waiting(control)) { tree throws(ServiceError) in
        if tree.wantsCompaction { tree.compact() }
        wantsTidying.store(false, ordering: .relaxed)
      }
    }
  }

  /// Counts a follower that is told to read everything anew.
  func noteReset() { executor.meter.addReset() }

  /// Has the tree written down whole when this visit is over.
  func wantSnapshot() { isSnapshotDue.store(true, ordering: .relaxed) }

  /// When somebody was last at the tree.
  var lastVisit: Int { visitTime.load(ordering: .relaxed) }

  /// Whether the tree is in memory.
  var isInMemory: Bool { isPresent.load(ordering: .relaxed) }

  /// Has the tree leave memory, unless somebody follows it or not all of it is on disk.
  ///
  /// - Returns: Its sessions, if it has left.
  func leaveMemory(_ tree: inout TreeManager) -> [SessionID]? {
    let isFollowed = tree.sessions.values.contains { !$0.followerGroups.isEmpty }
    let isWritten = tree.journal.map { $0.last.isSettled && !$0.isWritingSnapshot } ?? false
    guard !isFollowed, isWritten, !isLost, !tree.exports.isAny else { return nil }
    let sessions = tree.sessionIDs
    tree.leave()
    isPresent.store(false, ordering: .relaxed)
    return sessions
  }

  /// Works on the tree as it is, on its executor, be it in memory or not; that is no visit.
  func look(_ body: @escaping @Sendable (inout TreeManager) -> Void) {
    executor.add { [self] control in
      manager.withLock { tree in
        tree.meter.begin(control)
        defer { tree.meter.begin(nil) }
        body(&tree)
      }
    }
  }

  deinit {
    // Nobody knows it any more: what it held is not counted any more.
    manager.withLock { $0.leave() }
  }

  /// Whether what the tree did is not kept, so that it has to be read anew.
  var isLost: Bool { hasLost.load(ordering: .relaxed) }

  /// Has the tree read anew before anything else is done with it.
  func lose() { hasLost.store(true, ordering: .relaxed) }

  /// Brings the tree into memory, if it is not there, or not as it is stored.
  ///
  /// - Throws: `tree-not-found` where it is not stored, `storage-damaged`, `storage-failed`; it is
  ///   never small.
  private func bringIn(
    _ tree: inout TreeManager,
    _ archive: Archive
  ) throws(ServiceError) {
    guard tree.journal?.isLoaded == false || isLost else { return }
    try tree.meter.demandTime()
    if isLost { archive.noteLoss(of: tree) }
    tree.leave()
    hasLost.store(false, ordering: .relaxed)
    try archive.load(&tree)
    isPresent.store(true, ordering: .relaxed)
    shown.withLock { $0 = tree.description() }
  }

  private func visit<Result>(
    _ tree: inout sending TreeManager,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    // What controls this call is not to be kept alive by the tree.
    defer { tree.meter.begin(nil) }
    let now = clock()
    visitTime.store(now, ordering: .relaxed)
    if let archive { try bringIn(&tree, archive) }
    tree.time = now
    if arrivals.isAny {
      try tree.meter.demandTime()
      arrivals.arrive(at: &tree, of: self)
    }
    defer {
      isCrowded.store(tree.isCrowded, ordering: .relaxed)
      if tree.wantsCompaction { wantsTidying.store(true, ordering: .relaxed) }
      // Of a tree that has ended none is ever written: it would be due for ever.
      if !tree.hasEnded, tree.journal?.isSnapshotDue(tree.limits) == true {
        wantSnapshot()
      }
    }
    let revision = tree.treeRevision
    let result = try body(&tree)
    if tree.treeRevision != revision { shown.withLock { tree.renew(&$0) } }
    return result
  }
}
