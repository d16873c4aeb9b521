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
/// The store has two faces: this one waits for a tree that is worked on. That of an attempt does
/// what the attempt may do.
public final class SessionStore: TreeService {
  /// Has work done on a thread that may wait, after what it was given before; it must take all.
  public typealias Assignment = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// What both faces share.
  final class Core: Sendable {
    let limits: SessionLimits
    let usage: Usage
    /// True while memory that nobody uses is being dropped.
    let isRelieving = Atomic(false)
    let meter = TreeMeter()
    let table: Mutex<SessionTable>
    let waiting: SharedRoom
    /// Exports of all trees that are being read.
    let exports = LiveExports()
    /// What the events take that wait for followers.
    let queuedEvents: SharedRoom
    /// Queues work for the worker threads.
    let schedule: WorkItem.Scheduling
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
    let lookups: TreeExecutor

    init(
      _ limits: SessionLimits,
      _ memory: MemoryAccount?,
      _ schedule: @escaping WorkItem.Scheduling,
      _ clock: @escaping @Sendable () -> Int
    ) {
      self.limits = limits
      usage = Usage(memory ?? MemoryAccount(limit: limits.maxMemoryBytes))
      table = Mutex(SessionTable(limits))
      self.schedule = schedule
      self.clock = clock
      clockReading = { nil }
      archive = nil
      waiting = SharedRoom(limits.maxWaitingCalls)
      queuedEvents = SharedRoom(limits.maxQueuedEventBytesInAll, in: (usage.memory, .events))
      lookups = Self.makeLookups(limits, meter, schedule)
    }

    init(
      _ limits: SessionLimits,
      _ memory: MemoryAccount?,
      _ schedule: @escaping WorkItem.Scheduling,
      _ clock: ServiceClock,
      _ storage: any TreeStorage,
      _ queue: CommitQueue
    ) throws(StorageError) {
      self.limits = limits
      usage = Usage(memory ?? MemoryAccount(limit: limits.maxMemoryBytes))
      table = Mutex(SessionTable(limits))
      self.schedule = schedule
      self.clock = { clock.seconds }
      clockReading = { clock.reading }
      archive = try Archive(storage, queue, limits, usage, self.clock, Self.assigning(schedule))
      waiting = SharedRoom(limits.maxWaitingCalls)
      queuedEvents = SharedRoom(limits.maxQueuedEventBytesInAll, in: (usage.memory, .events))
      lookups = Self.makeLookups(limits, meter, schedule)
    }

    /// Queues work that is about no tree.
    var assign: Assignment { Self.assigning(schedule) }

    private static func assigning(_ schedule: @escaping WorkItem.Scheduling) -> Assignment {
      { work in schedule(WorkItem { _ in work() }) }
    }

    private static func makeLookups(
      _ limits: SessionLimits,
      _ meter: TreeMeter,
      _ schedule: @escaping WorkItem.Scheduling
    ) -> TreeExecutor {
      let limit = limits.maxWaitingCalls + limits.maxFollowers
      return TreeExecutor(SharedRoom(limit), limit: limit, meter: meter, schedule)
    }
  }

  let core: Core
  let mode: CallMode

  /// A store whose trees live in memory, and end with it.
  ///
  /// - Parameters:
  ///   - limits: How much it may hold.
  ///   - memory: The account that counts and bounds its memory; by default one of its own.
  ///   - clock: Tells the time, in seconds from any fixed moment on; it never goes back.
  ///   - schedule: Queues work that has to wait for a tree or takes long. By default it is done at
  ///     once.
  public init(
    limits: SessionLimits = SessionLimits(),
    memory: MemoryAccount? = nil,
    clock: @escaping @Sendable () -> Int = { 0 },
    schedule: @escaping WorkItem.Scheduling = InlineScheduler().schedule
  ) {
    core = Core(limits, memory, schedule, clock)
    mode = .blocking
  }

  /// A store whose trees are kept in storage: what was answered is there when another one is made
  /// over it.
  ///
  /// No tree is read before somebody asks for it.
  ///
  /// - Parameters:
  ///   - limits: How much it may hold.
  ///   - memory: The account that counts and bounds its memory; by default one of its own.
  ///   - storage: Where trees are kept; nobody else may write to it.
  ///   - clock: Tells the time, in seconds from any fixed moment on; it never goes back.
  ///   - wallClock: Tells the time in seconds since 1970, as far as it is known, and so how much of
  ///     it went by between processes. Without, the moment is the same for all of them.
  ///   - schedule: As above.
  ///   - commit: Has a thread of its own write to storage; there is one job at most. By default it
  ///     is done at once.
  /// - Throws: ``StorageError`` where the storage cannot be read.
  public init(
    limits: SessionLimits = SessionLimits(),
    memory: MemoryAccount? = nil,
    storage: any TreeStorage,
    clock: @escaping @Sendable () -> Int,
    wallClock: (@Sendable () -> Int)? = nil,
    schedule: @escaping WorkItem.Scheduling = InlineScheduler().schedule,
    commit: @escaping Assignment = { work in work() }
  ) throws(StorageError) {
    let creations = try storage.creations()
    let clock = ServiceClock(
      clock,
      wall: wallClock,
      after: try storage.clockReading(),
      notBefore: creations.last?.time
    )
    let memory = memory ?? MemoryAccount(limit: limits.maxMemoryBytes)
    let queue = CommitQueue(
      storage,
      maxBytes: limits.maxUnwrittenBytes,
      memory: memory,
      clock: { clock.seconds },
      assign: commit
    )
    core = try Core(limits, memory, schedule, clock, storage, queue)
    mode = .blocking
    try enterStored(storage, creations)
  }

  /// A face of a store.
  init(_ core: Core, _ mode: CallMode) {
    self.core = core
    self.mode = mode
  }

  /// Returns the same store for one attempt at the work of a request.
  public func answering(_ attempt: Attempt) -> any TreeService {
    SessionStore(core, .attempt(attempt))
  }

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
  /// - Throws: `content-too-large` and others; an attempt that may not wait is refused if the tree
  ///   is not small.
  func makeTree(
    _ id: TreeID,
    isPrivate: Bool,
    _ new: NewTree
  ) throws(ServiceError) -> LockedTree {
    let size = WorkSize(nodes: new.nodes.count + new.sections.count, bytes: new.bytes.count)
    if let attempt = mode.attempt, !attempt.mayWait, !size.isSmall(limits) {
      throw attempt.refuse(to: makeExecutor())
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
    let tree = LockedTree(manager, makeExecutor(), core.clock, core.archive)
    if let number = tree.number { core.table.withLock { _ = $0.tree(number) { tree } } }
    return tree
  }

  /// Makes the executor of a tree.
  func makeExecutor() -> TreeExecutor {
    let limit = limits.maxWaitingCallsPerTree
    return TreeExecutor(core.waiting, limit: limit, meter: core.meter, core.schedule)
  }
}
