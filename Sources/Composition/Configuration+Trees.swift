internal import HTTPServer
internal import TreeAPI
internal import TreeDomain
internal import TreeEngine
internal import TreeSessions

extension Configuration {
  /// The limits of decoding a request body.
  var decodingLimits: DecodingLimits {
    var limits = DecodingLimits()
    limits.maxJSONDepth = maxJSONDepth
    limits.maxOperations = maxOperationsPerBatch
    limits.maxNodes = maxNodesPerBody
    limits.maxKeyBytes = maxKeyBytes
    limits.maxObjectBytes = maxObjectBytes
    limits.maxSortDescriptors = maxSortDescriptors
    return limits
  }

  /// The options of the API.
  var apiOptions: TreeAPIOptions {
    var options = TreeAPIOptions()
    options.maxWaitSeconds = maxWaitSeconds
    options.heartbeatSeconds = heartbeatSeconds
    options.maxBodyBytes = maxBodyBytes
    options.maxUnreadBytes = maxUnreadBytes
    options.maxImportBytes = maxImportBytes
    options.maxHeldImportBytes = maxHeldImportBytes
    options.maxRequestSeconds = maxRequestSeconds
    options.maxImportNodes = maxNodesPerTree
    options.heavyBodyBytes = heavyBodyBytes
    options.keys = keys
    options.origins = origins
    options.explorer = explorer
    return options
  }

  /// The limits of trees and sessions.
  var sessionLimits: SessionLimits {
    var limits = SessionLimits()
    limits.maxSessions = maxSessions
    limits.maxNodesPerTree = maxNodesPerTree
    if maxMemoryBytes > 0 { limits.maxMemoryBytes = maxMemoryBytes }
    limits.maxDepth = maxDepth
    limits.maxAnswerBytes = maxAnswerBytes
    limits.maxAncestors = maxAncestors
    limits.maxAncestorBytes = maxAncestorBytes
    limits.maxChanges = maxChanges
    limits.maxJSONDepth = maxJSONDepth
    limits.maxObjectBytes = maxObjectBytes
    limits.maxTrees = maxTrees
    limits.maxSections = maxSections
    limits.maxExpansionRulesPerTree = maxExpansionRulesPerTree
    limits.maxViewSortsPerTree = maxViewSortsPerTree
    limits.maxUndoBytes = maxUndoBytes
    limits.maxWaitingCallsPerTree = maxWaitingCallsPerTree
    limits.maxWaitingCalls = maxWaitingCalls
    limits.maxExpiredSessions = maxExpiredSessions
    limits.idleTreeSeconds = idleTreeSeconds
    limits.idleSessionSeconds = idleSessionSeconds
    limits.maxIdleViewsPerTree = maxIdleViewsPerTree
    limits.snapshotBytes = snapshotBytes
    limits.snapshotEntries = snapshotEntries
    limits.snapshotWork = .milliseconds(snapshotWorkMilliseconds)
    limits.maxUnwrittenBytes = maxUnwrittenBytes
    limits.maxReplays = maxReplays
    limits.maxReplayBytes = maxReplayBytes
    limits.replaySeconds = replaySeconds
    limits.maxFollowers = maxFollowers
    limits.maxFollowersPerSession = maxFollowersPerSession
    limits.maxExports = maxExports
    limits.maxExportsPerTree = maxExportsPerTree
    limits.maxQueuedEvents = maxQueuedEvents
    limits.maxQueuedEventBytes = maxQueuedEventBytes
    limits.maxQueuedEventBytesInAll = maxQueuedEventBytesInAll
    limits.history.commits = maxHistoryCommits
    limits.history.rows = maxHistoryRows
    limits.history.totalRows = maxHistoryRowsPerTree
    limits.history.removedNodes = maxHistoryRemovedNodes
    limits.history.readings = maxHistoryReadings
    limits.history.listedRows = maxHistoryListedRows
    return limits
  }

  /// Returns the configuration with the memory limit of this process if none is set.
  func limitingMemory(to limit: MemoryLimit) -> Configuration {
    var configuration = self
    if maxMemoryBytes == 0 { configuration.maxMemoryBytes = limit.share }
    return configuration
  }

  /// Makes the account that counts and limits all memory.
  func makeMemory(_ limit: MemoryLimit) -> MemoryAccount {
    MemoryAccount(
      limit: maxMemoryBytes,
      reserved: maxBufferedBytes,
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

  /// Makes the worker threads for tasks that would block an event loop.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeWorkers() throws(ServerError) -> Scheduler {
    try Scheduler(permits: workers, maxQueued: maxWaitingJobs, niceness: workerNiceness)
  }

  /// Makes the thread that commits.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeWriter() throws(ServerError) -> WorkerPool {
    try WorkerPool(threads: 1, maxQueued: 1, maxSpinMicroseconds: maxSpinMicroseconds)
  }
}
