import Glibc
import Synchronization
import TreeDomain

/// Whether a call may wait for a tree, and work at it for long.
enum CallMode: Sendable {
  /// It may not: it would hold up others. It takes the lock if nobody works under it, and does what
  /// is little.
  case nonblocking
  /// It may.
  case blocking
}

/// A tree behind its lock, with the sessions that look at it, and a queue for those who wait for
/// it.
///
/// One lock a tree suffices: whatever is done to a tree in memory waits for nothing and takes no
/// lock but those of queues (a follower's, the one of what is to be written), so that holding it
/// for the whole of an operation costs others on the same tree no more than the work itself,
/// readers see one revision each, and the revisions of all its sessions have no gaps. Only bringing
/// the tree into memory waits for a disk, and nobody could do anything with the tree before that.
///
/// Who must not wait, the thread of an event loop, never does: what would take long, or comes while
/// something long is done, is refused to it and done in the tree's ``turn``, where one worker at a
/// time takes the lock and may keep it.
final class LockedTree: Sendable {
  let id: TreeID
  /// Where calls are made that have to wait for this tree, or take long.
  let turn: Turn
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
  private let queue: TurnQueue
  private let arrivals = FollowerArrivals()
  private let clock: @Sendable () -> Int
  private let promptSteps: Int

  typealias BackgroundTask = @Sendable (inout TreeManager) throws(ServiceError) -> sending Void

  /// How often a nonblocking call tries a lock that another one holds, giving way in between: what
  /// takes that one longer than some microseconds is to get a processor.
  private static let maxTries = 200

  /// - Parameters:
  ///   - manager: The tree.
  ///   - description: What there is to say about it, where it is not in memory yet.
  ///   - queue: Where those wait who may not wait for its lock.
  ///   - clock: Tells the time, in seconds.
  ///   - archive: Where it is kept.
  init(
    _ manager: consuming sending TreeManager,
    described description: TreeDescription? = nil,
    _ queue: TurnQueue,
    _ clock: @escaping @Sendable () -> Int,
    _ archive: Archive? = nil
  ) {
    id = manager.id
    promptSteps = manager.limits.promptSteps
    shown = Mutex(description ?? manager.description())
    self.archive = archive
    number = manager.journal?.number
    isPresent = Atomic(manager.journal?.isLoaded ?? true)
    isPrivate = manager.isPrivate
    self.manager = Mutex(manager)
    self.queue = queue
    self.clock = clock
    turn = Turn(queue.take)
  }

  /// That, as storage is to have it.
  var shownAbout: [UInt8] { description.about }

  /// What there is to say about the tree, as of the last visit that is over.
  var description: TreeDescription { shown.withLock { $0 } }

  /// Works on the tree, alone.
  ///
  /// - Throws: What the work does; nonblocking, `overloaded` with the tree's turn, when it is
  ///   busy or the work is found to be long.
  func withTree<Result>(
    _ mode: CallMode,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    defer { tidy() }
    guard mode == .nonblocking else {
      let begin = ContinuousClock.now
      return try manager.withLock { tree throws(ServiceError) in
        queue.meter.addWait(since: begin)
        isWorkedOn.store(true, ordering: .relaxed)
        defer { isWorkedOn.store(false, ordering: .relaxed) }
        tree.budget = nil
        return try visit(&tree, body)
      }
    }
    var begin: ContinuousClock.Instant?
    for _ in 0..<Self.maxTries where !isWorkedOn.load(ordering: .relaxed) {
      let result = try manager.withLockIfAvailable { tree throws(ServiceError) in
        if let begin { queue.meter.addWait(since: begin) }
        tree.budget = WorkBudget(steps: promptSteps, turn: turn)
        return try visit(&tree, body)
      }
      if let result { return result }
      begin = begin ?? .now
      sched_yield()
    }
    throw .busy(turn)
  }

  /// Works on the tree for one of its sessions, alone.
  ///
  /// - Throws: `session-not-found` when the session has ended since it was looked up.
  func withSession<Result>(
    _ id: SessionID,
    _ mode: CallMode,
    _ body: (inout TreeManager, OpenSession) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    try withTree(mode) { tree throws(ServiceError) in
      let session = try tree.session(id)
      try tree.affordSections()
      return try body(&tree, session)
    }
  }

  /// Runs a task that no client waits for: at once if it takes no time, else in its turn.
  ///
  /// - Parameters:
  ///   - task: The task; it throws for want of time only.
  ///   - failed: Called with the reason if the tree cannot be read.
  func runInBackground(
    _ task: @escaping BackgroundTask,
    failed: @escaping @Sendable (ServiceError) -> Void = { _ in }
  ) {
    do throws(ServiceError) {
      try withTree(.nonblocking, task)
    } catch {
      guard error.turn != nil else { return failed(error) }
      queue.add { [self] in
        do throws(ServiceError) {
          try withTree(.blocking, task)
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
    queue.add { [self] in
      do throws(ServiceError) {
        try withTree(.blocking) { _ in }
      } catch {
        arrivals.fail(error)
      }
    }
  }

  /// Has the tree give back what it does not need any more, in its turn, if that is worth it.
  private func tidy() {
    if isSnapshotDue.exchange(false, ordering: .relaxed) {
      queue.add { [self] in
        try? withTree(.blocking) { tree throws(ServiceError) in beginSnapshot(&tree) }
      }
    }
    guard wantsTidying.load(ordering: .relaxed) else { return }
    guard !isTidyingQueued.exchange(true, ordering: .relaxed) else { return }
    queue.add { [self] in
      // A tree that cannot be read now is tidied when it can be.
      defer { isTidyingQueued.store(false, ordering: .relaxed) }
      try? withTree(.blocking) { tree throws(ServiceError) in
        if tree.wantsCompaction { tree.compact() }
        wantsTidying.store(false, ordering: .relaxed)
      }
    }
  }

  /// Counts a follower that is told to read everything anew.
  func noteReset() { queue.meter.addReset() }

  /// Has the tree written down whole when this visit is over.
  func wantSnapshot() { isSnapshotDue.store(true, ordering: .relaxed) }

  /// When somebody was last at the tree.
  var lastVisit: Int { visitTime.load(ordering: .relaxed) }

  /// Whether the tree is in memory.
  var isInMemory: Bool { isPresent.load(ordering: .relaxed) }

  /// Has the tree leave memory, unless somebody follows it or not all of it is on disk.
  ///
  /// - Parameter done: Called with its sessions, and with the tree held, when it has left.
  func leaveMemory(_ done: @escaping @Sendable ([SessionID]) -> Void) {
    look { [self] tree in
      let isFollowed = tree.sessions.values.contains { !$0.followerGroups.isEmpty }
      let isWritten = tree.journal.map { $0.last.isSettled && !$0.isWritingSnapshot } ?? false
      guard !isFollowed, isWritten, !tree.exports.isAny else { return }
      let sessions = tree.sessionIDs
      tree.leave()
      isPresent.store(false, ordering: .relaxed)
      done(sessions)
    }
  }

  /// Works on the tree as it is, in its turn, be it in memory or not; that is no visit.
  func look(_ body: @escaping @Sendable (inout TreeManager) -> Void) {
    queue.add { [self] in manager.withLock { body(&$0) } }
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
  /// - Throws: `tree-not-found` where it is not stored, `storage-damaged`, `storage-failed`;
  ///   nonblocking, `overloaded` with the tree's turn.
  private func bringIn(
    _ tree: inout TreeManager,
    _ archive: Archive
  ) throws(ServiceError) {
    guard tree.journal?.isLoaded == false || isLost else { return }
    guard tree.budget == nil else { throw .busy(turn) }
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
    let now = clock()
    visitTime.store(now, ordering: .relaxed)
    if let archive { try bringIn(&tree, archive) }
    tree.time = now
    if arrivals.isAny {
      guard tree.budget == nil else { throw .busy(turn) }
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
