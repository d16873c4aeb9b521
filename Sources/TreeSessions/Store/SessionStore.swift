import Synchronization
public import TreeDomain

/// The service in memory: trees and sessions by their ids.
///
/// There are two kinds of lock. The one here guards the table of names and is held for a look-up or
/// a change of the table, never while a tree is worked on. Each ``LockedTree`` has one for its tree
/// and all its sessions. A request takes the table's lock, lets it go, and then takes a tree's, so
/// that a request on one tree never waits for a request on another. The order is tree, then table:
/// a tree whose sessions fall asleep, or that leaves memory, tells the table while it is held.
/// Nobody takes a tree's lock with the table's held, but for a tree that ends because nobody knows
/// it any more, whose lock nobody else can hold.
///
/// The store has two faces: this one waits for a tree that is worked on, ``nonblocking`` does not.
public final class SessionStore: TreeService {
  /// Has work done on a thread that may wait, after what it was given before; it must take all.
  public typealias Assignment = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// What both faces share.
  final class Core: Sendable {
    let limits: SessionLimits
    let usage = Usage()
    let meter = TreeMeter()
    let table: Mutex<SessionTable>
    let waiting: SharedRoom
    /// Exports of all trees that are being read.
    let exports = LiveExports()
    /// What the events take that wait for followers.
    let queuedEvents: SharedRoom
    /// Has work done elsewhere.
    let assign: Assignment
    /// Seconds from some fixed moment on.
    let clock: @Sendable () -> Int
    /// What the clocks show, where there is a wall clock.
    let clockReading: @Sendable () -> ClockReading?
    /// Where trees are kept; nil where they live in memory only.
    let archive: Archive?
    /// Where sessions are looked up that are not in memory.
    ///
    /// A look-up is short, and a client has one at most, so that they do not count among the calls
    /// that wait for trees, which may take long.
    let lookups: TurnQueue

    init(
      _ limits: SessionLimits,
      _ assign: @escaping Assignment,
      _ clock: @escaping @Sendable () -> Int
    ) {
      self.limits = limits
      table = Mutex(SessionTable(limits))
      self.assign = assign
      self.clock = clock
      clockReading = { nil }
      archive = nil
      waiting = SharedRoom(limits.maxWaitingCalls)
      queuedEvents = SharedRoom(limits.maxQueuedEventBytesInAll)
      lookups = Self.lookupQueue(limits, meter, assign)
    }

    init(
      _ limits: SessionLimits,
      _ assign: @escaping Assignment,
      _ clock: ServiceClock,
      _ storage: any TreeStorage,
      _ queue: CommitQueue
    ) throws(StorageError) {
      self.limits = limits
      table = Mutex(SessionTable(limits))
      self.assign = assign
      self.clock = { clock.seconds }
      clockReading = { clock.reading }
      archive = try Archive(storage, queue, limits, usage, self.clock, assign)
      waiting = SharedRoom(limits.maxWaitingCalls)
      queuedEvents = SharedRoom(limits.maxQueuedEventBytesInAll)
      lookups = Self.lookupQueue(limits, meter, assign)
    }

    private static func lookupQueue(
      _ limits: SessionLimits,
      _ meter: TreeMeter,
      _ assign: @escaping Assignment
    ) -> TurnQueue {
      let limit = limits.maxWaitingCalls + limits.maxFollowers
      return TurnQueue(SharedRoom(limit), limit: limit, meter: meter, assign: assign)
    }
  }

  let core: Core
  let mode: CallMode

  /// A store whose trees live in memory, and end with it.
  ///
  /// - Parameters:
  ///   - limits: How much it may hold.
  ///   - clock: Tells the time, in seconds from any fixed moment on; it never goes back.
  ///   - assign: Has a worker do what has to wait for a tree or takes long. There is one job a tree
  ///     at most, so that it need not count them. By default it is done at once.
  public init(
    limits: SessionLimits = SessionLimits(),
    clock: @escaping @Sendable () -> Int = { 0 },
    assign: @escaping Assignment = { work in work() }
  ) {
    core = Core(limits, assign, clock)
    mode = .blocking
  }

  /// A store whose trees are kept in storage: what was answered is there when another one is made
  /// over it.
  ///
  /// No tree is read before somebody asks for it.
  ///
  /// - Parameters:
  ///   - limits: How much it may hold.
  ///   - storage: Where trees are kept; nobody else may write to it.
  ///   - clock: Tells the time, in seconds from any fixed moment on; it never goes back.
  ///   - wallClock: Tells the time in seconds since 1970, as far as it is known, and so how much of
  ///     it went by between processes. Without, the moment is the same for all of them.
  ///   - assign: As above.
  ///   - commit: Has a thread of its own write to storage; there is one job at most. By default it
  ///     is done at once.
  /// - Throws: ``StorageError`` where the storage cannot be read.
  public init(
    limits: SessionLimits = SessionLimits(),
    storage: any TreeStorage,
    clock: @escaping @Sendable () -> Int,
    wallClock: (@Sendable () -> Int)? = nil,
    assign: @escaping Assignment = { work in work() },
    commit: @escaping Assignment = { work in work() }
  ) throws(StorageError) {
    let creations = try storage.creations()
    let clock = ServiceClock(
      clock,
      wall: wallClock,
      after: try storage.clockReading(),
      notBefore: creations.last?.time
    )
    let queue = CommitQueue(
      storage,
      maxBytes: limits.maxUnwrittenBytes,
      clock: { clock.seconds },
      assign: commit
    )
    core = try Core(limits, assign, clock, storage, queue)
    mode = .blocking
    try enterStored(storage, creations)
  }

  /// A face of a store.
  init(_ core: Core, _ mode: CallMode) {
    self.core = core
    self.mode = mode
  }

  /// The same store for a caller that must not wait.
  public var nonblocking: any TreeService { SessionStore(core, .nonblocking) }

  var limits: SessionLimits { core.limits }

  // MARK: Finding

  /// The tree of a session, which counts as use of the session.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - time: Now, where the clock was asked already.
  /// - Returns: The tree.
  /// - Throws: `session-not-found`, `session-expired`.
  func find(_ id: SessionID, at time: Int? = nil) throws(ServiceError) -> LockedTree {
    if let tree = try findInMemory(id, at: time) { return tree }
    return try findStored(id)
  }

  /// The tree of a session in memory, which counts as use of the session.
  ///
  /// - Returns: The tree; `nil` where storage has to be asked.
  /// - Throws: As ``find(_:at:)``, if that is known without asking storage.
  func findInMemory(_ id: SessionID, at time: Int? = nil) throws(ServiceError) -> LockedTree? {
    let now = time ?? core.clock()
    switch core.table.withLock({ $0.use(id, at: now) }) {
    case .found(let tree): return tree
    case .expired(let tree):
      end(expired: id, on: tree)
      throw .sessionExpired
    case .gone: throw .sessionExpired
    case .missing: throw .sessionNotFound
    case .unknown:
      guard core.archive != nil else { throw .sessionNotFound }
      return nil
    }
  }

  /// Works on a session's tree, alone.
  func withSession<Result>(
    _ id: SessionID,
    _ body: (inout TreeManager, OpenSession) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    try find(id).withSession(id, mode, body)
  }

  /// A shared tree.
  ///
  /// - Throws: `tree-not-found`.
  func find(_ id: TreeID) throws(ServiceError) -> LockedTree {
    guard let tree = core.table.withLock({ $0.trees[id] }) else { throw .treeNotFound }
    return tree
  }

  /// Works on a shared tree, alone.
  func withTree<Result>(
    _ id: TreeID,
    _ body: (inout TreeManager) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    try find(id).withTree(mode, body)
  }

  /// Makes a tree.
  ///
  /// - Throws: `content-too-large` and others; `overloaded` over the budget, with a turn where
  ///   nobody else waits.
  func makeTree(
    _ id: TreeID,
    isPrivate: Bool,
    _ new: NewTree
  ) throws(ServiceError) -> LockedTree {
    if mode == .nonblocking, 20 * (new.nodes.count + new.sections.count) > limits.promptSteps {
      throw .busy(Turn(makeQueue().take))
    }
    var manager = try TreeManager(
      id: id,
      isPrivate: isPrivate,
      new: new,
      at: core.table.withLock { $0.retired.firstRevision(of: id) },
      limits: limits,
      usage: core.usage
    )
    if let archive = core.archive {
      manager.journal = TreeJournal(number: archive.makeNumber(), isLoaded: true)
    }
    let tree = LockedTree(manager, makeQueue(), core.clock, core.archive)
    if let number = tree.number { core.table.withLock { _ = $0.tree(number) { tree } } }
    return tree
  }

  /// A queue for those who wait for a tree.
  func makeQueue() -> TurnQueue {
    let limit = limits.maxWaitingCallsPerTree
    return TurnQueue(core.waiting, limit: limit, meter: core.meter, assign: core.assign)
  }

  // MARK: Expiry

  /// Ends sessions that nobody has used for as long as they asked for.
  ///
  /// To be called now and then; a session that expired is refused before that, too.
  ///
  /// - Complexity: O(sessions).
  func endIdleSessions() {
    let now = core.clock()
    let expired = core.table.withLock { table in
      table.sessions.filter { $0.value.isExpired(at: now) }.map { ($0.key, $0.value.tree) }
    }
    for (id, tree) in expired { end(expired: id, on: tree) }
  }

  private func end(expired id: SessionID, on tree: LockedTree) {
    let now = core.clock()
    let isStillExpired = core.table.withLock { table in
      guard table.sessions[id]?.isExpired(at: now) == true else { return false }
      table.expire(id)
      return true
    }
    guard isStillExpired else { return }
    tree.runInBackground { manager throws(ServiceError) in
      _ = try tree.close(id, in: &manager, expired: true, at: now)
    }
  }
}
