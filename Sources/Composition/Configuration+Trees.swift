internal import HTTPServer
internal import TreeAPI
internal import TreeDomain
internal import TreeEngine
internal import TreeSessions

extension Configuration {
  /// What one request body may ask for.
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

  /// How large requests are taken, and answers that take time.
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

  /// What trees and sessions may grow to.
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

  /// The same with a limit of memory, that of this process where none is set.
  func limitingMemory(to limit: MemoryLimit) -> Configuration {
    var configuration = self
    if maxMemoryBytes == 0 { configuration.maxMemoryBytes = limit.share }
    return configuration
  }

  /// The account that counts and bounds all memory.
  func makeMemory(_ limit: MemoryLimit) -> MemoryAccount {
    MemoryAccount(
      limit: maxMemoryBytes,
      reserved: maxBufferedBytes,
      resident: limit.usedBytes
    )
  }

  /// A store of sessions, over storage if there is one; with a clock that never goes back, workers
  /// for what takes long, and a thread that writes.
  ///
  /// - Throws: ``StorageError`` where what is stored cannot be used.
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

  /// The threads that do what would hold up a loop.
  ///
  /// - Throws: ``ServerError`` where the system has no threads left.
  func makeWorkers() throws(ServerError) -> Scheduler {
    try Scheduler(permits: workers, maxQueued: maxWaitingJobs, niceness: workerNiceness)
  }

  /// The thread that commits.
  ///
  /// - Throws: ``ServerError`` where the system has none left.
  func makeWriter() throws(ServerError) -> WorkerPool {
    try WorkerPool(threads: 1, maxQueued: 1, maxSpinMicroseconds: maxSpinMicroseconds)
  }
}
