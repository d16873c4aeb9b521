internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeDomain
internal import TreeEngine
internal import TreeSessions

extension Configuration {
  /// The limits of decoding a request body.
  var decodingLimits: DecodingLimits {
    var limits = decoding
    limits.maxObjectBytes = trees.maxObjectBytes
    return limits
  }

  /// The options of the API.
  var apiOptions: TreeAPIOptions {
    var options = api
    options.maxBodyBytes = limits.maxBodyBytes
    options.maxUnreadBytes = limits.maxUnreadBytes
    options.maxImportNodes = trees.maxNodesPerTree
    options.keys = keys
    options.origins = origins
    return options
  }

  /// The limits of trees and sessions.
  ///
  /// Some are shares or multiples of settings.
  var sessionLimits: SessionLimits {
    var limits = trees
    if limits.maxMemoryBytes == 0 { limits.maxMemoryBytes = SessionLimits().maxMemoryBytes }
    limits.maxWaitingCallsPerTree = limits.maxWaitingCalls / 4
    limits.maxFollowersPerSession = limits.maxFollowers / 4
    limits.maxQueuedEventBytes = limits.maxQueuedEvents * 4_096
    limits.history.totalRows = limits.history.rows * 50
    limits.history.removedNodes = limits.history.rows * 5
    limits.history.readings = limits.history.rows * 5
    limits.history.listedRows = limits.history.rows / 20
    return limits
  }

  /// Returns the configuration with the memory limit of this process if none is set.
  func limitingMemory(to limit: MemoryLimit) -> Configuration {
    var configuration = self
    if trees.maxMemoryBytes == 0 { configuration.trees.maxMemoryBytes = limit.share }
    return configuration
  }

  /// Makes the account that counts and limits all memory.
  func makeMemory(_ limit: MemoryLimit) -> MemoryAccount {
    MemoryAccount(
      limit: trees.maxMemoryBytes,
      reserved: server.maxBufferedBytes,
      resident: limit.usedBytes
    )
  }

  /// Makes a store of sessions, persistent if there is storage.
  ///
  /// It uses a clock that never goes back, workers for long tasks, and one thread for commits.
  ///
  /// - Throws: ``StorageError`` if the stored data cannot be used.
  func makeStore(
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ storage: (any TreeStorage)?,
    _ writer: WorkerPool
  ) throws(StorageError) -> SessionStore {
    guard let storage else {
      return SessionStore(
        limits: sessionLimits,
        memory: memory,
        clock: { SystemClock.bootSeconds },
        schedule: workers.schedule
      )
    }
    return try SessionStore(
      limits: sessionLimits,
      memory: memory,
      storage: storage,
      clock: { SystemClock.bootSeconds },
      wallClock: { SystemClock.wallSeconds },
      schedule: workers.schedule,
      commit: writer.assign
    )
  }

  /// The niceness of the worker threads, so that event loops have priority; see nice(2).
  private static let workerNiceness = 10

  /// Makes the worker threads for tasks that would block an event loop.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeWorkers() throws(ServerError) -> Scheduler {
    try Scheduler(
      permits: workers,
      maxQueued: trees.maxWaitingCalls / 4,
      niceness: Self.workerNiceness
    )
  }

  /// Makes the thread that commits.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeWriter() throws(ServerError) -> WorkerPool {
    try WorkerPool(threads: 1, maxQueued: 1, maxSpinMicroseconds: server.maxSpinMicroseconds)
  }
}
