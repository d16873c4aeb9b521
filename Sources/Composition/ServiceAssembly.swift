internal import HTTPServer
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

/// Makes the parts of a service from its configuration.
struct ServiceAssembly {
  let configuration: Configuration

  /// Makes the account that counts and limits all memory.
  func makeMemory(_ limit: MemoryLimit) -> MemoryAccount {
    MemoryAccount(
      limit: configuration.trees.maxMemoryBytes,
      reserved: configuration.server.maxBufferedBytes,
      resident: limit.usedBytes
    )
  }

  /// The niceness of the worker threads, so that event loops have priority; see nice(2).
  private static let workerNiceness = 10

  /// Makes the worker threads for tasks that would block an event loop.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeWorkers() throws(ServerError) -> Scheduler {
    try Scheduler(
      permits: configuration.workers,
      maxQueued: configuration.trees.maxWaitingCalls / 4,
      niceness: Self.workerNiceness
    )
  }

  /// Makes the thread that commits.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeWriter() throws(ServerError) -> WorkerPool {
    let microseconds = configuration.server.maxSpinMicroseconds
    return try WorkerPool(threads: 1, maxQueued: 1, maxSpinMicroseconds: microseconds)
  }

  /// Makes the trees that are not in a database, and their storage if there is one.
  func makeOwnTrees(
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ endings: inout [() -> Void]
  ) throws -> (SessionStore?, SQLiteStorage?) {
    guard !configuration.isDatabase else { return (nil, nil) }
    let storage = try openStorage(workers)
    endings.append { storage?.close() }
    let writer = try makeWriter()
    // The writer finishes its queue before the storage closes.
    endings.append { writer.stop(finishing: true) }
    return (try makeStore(memory, workers, storage, writer), storage)
  }

  /// Opens the storage in a file; nil if there is none.
  private func openStorage(_ workers: Scheduler) throws(StorageError) -> SQLiteStorage? {
    guard configuration.storage == "sqlite" else { return nil }
    return try SQLiteStorage(
      folder: configuration.data,
      minFreeBytes: configuration.minFreeBytes,
      assign: { workers.assign($0) }
    )
  }

  /// Makes a store of sessions, persistent if there is storage.
  ///
  /// It uses a clock that never goes back, workers for long tasks, and one thread for commits.
  ///
  /// - Throws: ``StorageError`` if the stored data cannot be used.
  private func makeStore(
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ storage: (any TreeStorage)?,
    _ writer: WorkerPool
  ) throws(StorageError) -> SessionStore {
    guard let storage else {
      return SessionStore(
        limits: configuration.sessionLimits,
        memory: memory,
        clock: { SystemClock.bootSeconds },
        schedule: workers.schedule
      )
    }
    return try SessionStore(
      limits: configuration.sessionLimits,
      memory: memory,
      storage: storage,
      clock: { SystemClock.bootSeconds },
      wallClock: { SystemClock.wallSeconds },
      schedule: workers.schedule,
      commit: writer.assign
    )
  }
}
