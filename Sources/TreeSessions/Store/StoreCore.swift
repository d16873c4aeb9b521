import Synchronization
import TreeDomain

/// The state that all variants of a store share.
final class StoreCore: Sendable {
  let limits: SessionLimits
  /// The means that this store may share with other stores.
  let means: StoreMeans
  /// The removal of unused data while memory is tight.
  let relief = MemoryRelief()
  /// The tasks of maintenance.
  let upkeep = UpkeepQueue()
  let table: Mutex<SessionTable>
  /// True after followers were interrupted for good.
  let isClosed = Atomic(false)
  /// Returns true for the ids that new sessions and trees may have.
  let accepts: SessionStore.Acceptance
  /// Queues work for the worker threads.
  let schedule: WorkItem.Scheduling
  /// Returns seconds since a fixed time.
  let clock: @Sendable () -> Int
  /// Returns the readings of the clocks; nil without a wall clock.
  let clockReading: @Sendable () -> ClockReading?
  /// The connection to storage; nil if trees are in memory only.
  let archive: Archive?
  /// The executor of look-ups of sessions that are not in memory.
  ///
  /// Look-ups are short, and a client has at most one. So they do not count as calls that wait
  /// for trees, which may take long.
  let lookups: TreeExecutor

  init(
    _ limits: SessionLimits,
    _ memory: MemoryAccount?,
    _ schedule: @escaping WorkItem.Scheduling,
    _ clock: @escaping @Sendable () -> Int
  ) {
    self.limits = limits
    means = StoreMeans(limits: limits, memory: memory)
    table = Mutex(SessionTable(countedIn: means.usage.memory))
    self.schedule = schedule
    self.clock = clock
    clockReading = { nil }
    archive = nil
    accepts = { _ in true }
    lookups = Self.makeLookups(limits, means.meter, schedule)
  }

  init(
    _ limits: SessionLimits,
    _ means: StoreMeans,
    _ schedule: @escaping WorkItem.Scheduling,
    _ clock: ServiceClock,
    _ storage: any TreeStorage,
    _ queue: CommitQueue,
    _ accepts: @escaping SessionStore.Acceptance
  ) throws(StorageError) {
    self.limits = limits
    self.means = means
    self.accepts = accepts
    table = Mutex(SessionTable(countedIn: means.usage.memory))
    self.schedule = schedule
    self.clock = { clock.seconds }
    clockReading = { clock.reading }
    let assign = Self.assigning(schedule)
    archive = try Archive(storage, queue, limits, means.usage, self.clock, assign)
    lookups = Self.makeLookups(limits, means.meter, schedule)
  }

  deinit { table.withLock { $0.stopCounting() } }

  var usage: Usage { means.usage }

  /// The creations and deletions that are applied once.
  var retries: CreationRetries { CreationRetries(core: self) }

  /// Queues work that concerns no tree.
  var assign: SessionStore.Assignment { Self.assigning(schedule) }

  private static func assigning(
    _ schedule: @escaping WorkItem.Scheduling
  ) -> SessionStore.Assignment {
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

  /// Visits items of the table, part by part, so that its lock is never held for long.
  ///
  /// - Parameters:
  ///   - find: Returns the items of a part of the table, under its lock.
  ///   - visit: Visits an item, without the lock.
  func visitTable<Item>(
    _ find: (inout SessionTable, _ part: Int) -> [Item],
    _ visit: (Item) -> Void
  ) {
    for part in 0..<SessionTable.partCount {
      for item in table.withLock({ find(&$0, part) }) { visit(item) }
    }
  }

  /// The number of sessions for which the table is changed under one lock.
  ///
  /// Every request needs the lock, so it is held for a fraction of a millisecond at most.
  static let sessionsAtOnce = 64

  /// Changes the table for many sessions, a part of them at a time.
  func changeTable<Item: Sendable>(
    for items: [Item],
    _ change: (inout SessionTable, ArraySlice<Item>) -> Void
  ) {
    var rest = items[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.sessionsAtOnce)
      rest = rest.dropFirst(part.count)
      table.withLock { change(&$0, part) }
    }
  }

  /// Removes sessions that sleep or whose tree leaves memory, and stores their last uses.
  ///
  /// - Parameters:
  ///   - ids: The sessions.
  ///   - time: Sessions that were used later stay.
  func dismiss(_ ids: [SessionID], unusedSince time: Int = .max) {
    var uses: [SessionUse] = []
    changeTable(for: ids) { table, ids in
      let dismissed = table.dismiss(ids, unusedSince: time)
      // Until they are stored, the table knows these uses.
      table.recordSending(dismissed[...])
      uses += dismissed
    }
    write(uses)
  }

  /// Removes sessions that have ended.
  ///
  /// A worker removes most sessions of a large tree, so that no commit waits for them.
  func remove(_ ended: [SessionID]) {
    let first = ended.prefix(Self.sessionsAtOnce)
    table.withLock { $0.remove(first) }
    let rest = Array(ended.dropFirst(first.count))
    guard !rest.isEmpty else { return }
    assign { [self] in changeTable(for: rest) { $0.remove($1) } }
  }

  /// Makes a random id for a new session, which ``accepts`` allows.
  func makeSessionID(using generator: inout some RandomNumberGenerator) -> SessionID {
    while true {
      let id = SessionID(using: &generator)
      if accepts(id.bytes) { return id }
    }
  }

  /// Makes a random id for a new tree, which ``accepts`` allows.
  func makeTreeID(using generator: inout some RandomNumberGenerator) -> TreeID {
    while true {
      let id = TreeID(using: &generator)
      if accepts(id.bytes) { return id }
    }
  }

  /// Makes an executor for a tree.
  func makeExecutor() -> TreeExecutor {
    let limit = limits.maxWaitingCallsPerTree
    return TreeExecutor(means.waiting, limit: limit, meter: means.meter, schedule)
  }

  /// Stores uses of sessions and further changes, if there is storage.
  ///
  /// Uses that were lost are stored again later, except a single one that storage refuses.
  func write(_ uses: [SessionUse], _ others: [StorageChange] = []) {
    guard let archive else { return }
    changeTable(for: uses) { $0.recordSending($1) }
    let durability = archive.write(uses.map(\.renewal) + others)
    durability.whenKept { [self] in changeTable(for: uses) { $0.recordStored($1) } }
    durability.whenLost { [self] in
      let isOfDisk = [.storageFull, .storageFailed].contains(durability.loss?.code)
      let isToRetry = isOfDisk || uses.count > 1
      changeTable(for: uses) { table, uses in
        if isToRetry { table.recordUnstored(uses) } else { table.recordStored(uses) }
      }
      table.withLock { $0.storedClock = nil }
    }
  }
}
