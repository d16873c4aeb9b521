import Synchronization
package import TreeDomain

/// The service: trees and sessions by id.
///
/// There are two kinds of lock. The lock of the table is held for a look-up or a change of the
/// table, never while a tree is worked on. Each ``LockedTree`` has a lock for its tree and all its
/// sessions. A request locks the table, unlocks it, and then locks a tree. So a request to one tree
/// never waits for a request to another.
///
/// The lock order is tree, then table: when sessions fall asleep or a tree leaves memory, the table
/// is changed under the tree's lock. No lock of a tree is taken under the lock of the table, with
/// one exception: that of a tree which is destroyed, which no other thread can hold.
///
/// A store made with an initializer waits for trees that are busy. ``answering(_:)`` returns a
/// variant that waits only where its attempt may.
package final class SessionStore: TreeService {
  /// A function that runs work on a thread that may block, in order.
  ///
  /// It must not refuse any work.
  package typealias Assignment = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// A function that tells if an id may be given to a new session or tree.
  package typealias Acceptance = @Sendable (_ id: [UInt8]) -> Bool

  /// The state that all variants of a store share.
  let core: StoreCore
  let mode: CallMode

  /// Makes a store whose trees are in memory only.
  ///
  /// - Parameters:
  ///   - limits: The limits.
  ///   - memory: The account that counts and limits its memory; by default a new one.
  ///   - clock: Returns seconds since any fixed time; it never goes back.
  ///   - schedule: Queues work that has to wait for a tree or takes long. By default, it runs at
  ///     once.
  package init(
    limits: SessionLimits = SessionLimits(),
    memory: MemoryAccount? = nil,
    clock: @escaping @Sendable () -> Int = { 0 },
    schedule: @escaping WorkItem.Scheduling = InlineScheduler().schedule
  ) {
    core = StoreCore(limits, memory, schedule, clock)
    mode = .blocking
  }

  /// Makes a store whose trees are persistent.
  ///
  /// No tree is read before it is requested.
  ///
  /// - Parameters:
  ///   - limits: The limits.
  ///   - memory: The account that counts and limits its memory; by default a new one.
  ///   - means: The means that it shares with other stores; by default its own.
  ///   - storage: The storage, which nothing else may write to.
  ///   - clock: Returns seconds since any fixed time; it never goes back.
  ///   - wallClock: Returns seconds since 1970, to measure the downtime between processes. Without
  ///     it, `clock` must continue across processes.
  ///   - maxDowntime: The greatest downtime in seconds that counts; nil for any.
  ///   - schedule: Queues work that waits for a tree or takes long. By default, it runs at once.
  ///   - accepts: Returns true for ids that new sessions and trees may have.
  ///   - commit: Runs commits on a thread, one at a time. By default, they run at once.
  /// - Throws: ``StorageError`` if the storage cannot be read.
  package init(
    limits: SessionLimits = SessionLimits(),
    memory: MemoryAccount? = nil,
    means: StoreMeans? = nil,
    storage: any TreeStorage,
    clock: @escaping @Sendable () -> Int,
    wallClock: (@Sendable () -> Int)? = nil,
    maxDowntime: Int? = nil,
    schedule: @escaping WorkItem.Scheduling = InlineScheduler().schedule,
    accepts: @escaping Acceptance = { _ in true },
    commit: @escaping Assignment = { work in work() }
  ) throws(StorageError) {
    let creations = try storage.creations()
    let clock = ServiceClock(
      clock,
      wall: wallClock,
      after: try storage.clockReading(),
      notBefore: creations.last?.time,
      maxDowntime: maxDowntime
    )
    let means = means ?? StoreMeans(limits: limits, memory: memory)
    let queue = CommitQueue(
      storage,
      unwritten: means.unwritten,
      memory: means.usage.memory,
      clock: { clock.seconds },
      assign: commit
    )
    core = try StoreCore(limits, means, schedule, clock, storage, queue, accepts)
    mode = .blocking
    try core.enterStored(storage, creations)
  }

  /// Makes a variant of a store.
  init(_ core: StoreCore, _ mode: CallMode) {
    self.core = core
    self.mode = mode
  }

  /// Returns a variant of the store for one attempt at a request.
  package func answering(_ attempt: Attempt) -> any TreeService { attempting(attempt) }

  /// Returns a variant of the store for one attempt at a request.
  package func attempting(_ attempt: Attempt) -> SessionStore {
    SessionStore(core, .attempt(attempt))
  }

  var limits: SessionLimits { core.limits }

  // MARK: Finding

  /// Returns the tree of a session.
  ///
  /// Counts as a use of the session.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - time: The current time, if the caller has read the clock.
  /// - Returns: The tree.
  /// - Throws: `session-not-found`, `session-expired`, or an error of storage.
  func find(_ id: SessionID, at time: Int? = nil) throws(ServiceError) -> LockedTree {
    if let tree = try findInMemory(id, at: time) { return tree }
    return try findStored(id)
  }

  /// Returns the tree of a session that is in memory.
  ///
  /// Counts as a use of the session.
  ///
  /// - Returns: The tree; `nil` if storage must be asked.
  /// - Throws: `session-not-found` or `session-expired`, if that is known without storage.
  func findInMemory(_ id: SessionID, at time: Int? = nil) throws(ServiceError) -> LockedTree? {
    let now = time ?? core.clock()
    switch core.table.withLock({ $0.use(id, at: now) }) {
    case .found(let tree): return tree
    case .expired(let tree):
      SessionExpiry(core: core).end(id, on: tree)
      throw .sessionExpired
    case .gone: throw .sessionExpired
    case .missing: throw .sessionNotFound
    case .unknown:
      guard core.archive != nil else { throw .sessionNotFound }
      return nil
    }
  }

  /// Finds a session that is not in memory.
  ///
  /// - Throws: `session-not-found`, `session-expired`, the errors of storage, and those of
  ///   ``mayAskStorage()``.
  func findStored(_ id: SessionID) throws(ServiceError) -> LockedTree {
    guard let storage = core.archive?.storage else { throw .sessionNotFound }
    try mayAskStorage()
    let found = try Archive.reading {
      () throws(StorageError) -> (StoredSession?, StoredTree?) in
      guard let session = try storage.session(id) else { return (nil, nil) }
      return (session, try storage.tree(session.tree))
    }
    guard var session = found.0 else {
      core.table.withLock { $0.recordMissing(id) }
      throw .sessionNotFound
    }
    if let use = core.table.withLock({ $0.pendingUse(of: id) }) {
      session.lastUse = max(session.lastUse, use)
    }
    guard let tree = found.1, !session.isExpired else { throw .sessionExpired }
    guard !session.isOver(at: core.clock()) else {
      SessionExpiry(core: core).end(session)
      throw .sessionExpired
    }
    return enter(session, on: tree)
  }

  /// Refuses an attempt that must not wait for storage.
  ///
  /// The attempt continues on the executor of look-ups.
  func mayAskStorage() throws(ServiceError) {
    guard let attempt = mode.attempt, !attempt.mayWait else { return }
    throw attempt.refuse(to: core.lookups)
  }

  private func enter(_ session: StoredSession, on stored: StoredTree) -> LockedTree {
    let now = core.clock()
    return core.table.withLock { table in
      let tree = table.tree(stored.number) { core.handle(of: stored, nil) }
      if table.sessions[session.id] == nil {
        var entry = SessionTable.Entry(
          tree,
          openedBy: session.digest,
          access: session.access,
          idleTimeoutSeconds: session.idleTimeoutSeconds,
          lastUse: now
        )
        let isOwed = table.pendingUse(of: session.id) != nil
        entry.storedUse = isOwed ? SessionTable.Entry.unknownUse : session.lastUse
        table.enter(session.id, entry)
        // The look-up counts as a use.
        _ = table.use(session.id, at: now)
      }
      return tree
    }
  }

  /// Reads a session's tree, or a copy of it.
  func read<Result: Sendable>(
    _ id: SessionID,
    _ body: (inout TreeManager, OpenSession) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    try find(id).read(id, mode, body)
  }

  /// Reads a shared tree, or a copy of it.
  func read<Result: Sendable>(
    _ id: TreeID,
    _ body: (inout TreeManager) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    try find(id).read(mode, body)
  }

  /// Returns a shared tree.
  ///
  /// - Throws: `tree-not-found`.
  func find(_ id: TreeID) throws(ServiceError) -> LockedTree {
    guard let tree = core.table.withLock({ $0.trees[id] }) else { throw .treeNotFound }
    return tree
  }

  /// Runs a closure on a shared tree, under its lock.
  func withTree<Result>(
    _ id: TreeID,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    try find(id).withTree(mode, body)
  }

  /// Makes a tree.
  ///
  /// - Throws: `content-too-large` and the other errors of the tree's initializer. An attempt that
  ///   may not wait is refused if the tree is not small.
  func makeTree(
    _ id: TreeID,
    isPrivate: Bool,
    _ new: NewTree
  ) throws(ServiceError) -> LockedTree {
    let size = WorkSize(nodes: new.nodes.count + new.sections.count, bytes: new.bytes.count)
    if let attempt = mode.attempt, !attempt.mayWait, !size.isSmall(limits) {
      throw attempt.refuse(to: core.makeExecutor())
    }
    var manager = try TreeManager(
      id: id,
      isPrivate: isPrivate,
      new: new,
      at: core.table.withLock { $0.retired.firstRevision(of: id) },
      limits: limits,
      usage: core.usage,
      control: mode.control
    )
    if let archive = core.archive {
      manager.journal = TreeJournal(number: archive.makeNumber(), isLoaded: true)
    }
    let tree = LockedTree(manager, core.makeExecutor(), core.clock, core.archive)
    if let number = tree.number { core.table.withLock { _ = $0.tree(number) { tree } } }
    return tree
  }
}
