internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeCluster
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

// An instance of a cluster.
extension ServiceAssembly {
  /// Creates the sender of requests to other instances; nil for an instance that works alone.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeUpstream() throws(ServerError) -> Upstream? {
    guard configuration.clusterSecret != nil else { return nil }
    var options = UpstreamOptions()
    // A forwarded request may wait for events as long as a client may.
    let longest = max(
      configuration.limits.handlerTimeoutMilliseconds,
      configuration.api.maxWaitSeconds * 1_000
    )
    options.headMilliseconds = max(options.headMilliseconds, longest + 30_000)
    return try Upstream(options: options, limits: configuration.limits)
  }

  /// Makes the trees that are in a database, and opens the slots that this instance has at first.
  func makeCluster(
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ endings: inout [() -> Void]
  ) throws -> ClusterService? {
    guard let entered = try enterCluster() else { return nil }
    endings.append { entered.close() }
    let keepers = try SlotKeepers()
    endings.append { keepers.stop() }
    let cluster = try makeClusterService(entered, memory, workers, keepers)
    do { try cluster.start() } catch {
      cluster.stop()
      throw error
    }
    return cluster
  }

  /// Registers this instance in the database; nil if there is no database.
  ///
  /// - Throws: ``StorageError`` if another instance excludes it, or the database cannot be used.
  private func enterCluster() throws(StorageError) -> PostgreSQLCluster? {
    guard configuration.isDatabase else { return nil }
    return try PostgreSQLCluster(uri: configuration.storage, address: configuration.advertise)
  }

  /// Makes the service of an instance, which has no slot yet.
  ///
  /// - Parameters:
  ///   - cluster: The instance.
  ///   - memory: The account of memory.
  ///   - workers: The threads for long work.
  ///   - keepers: The threads that open and close slots.
  /// - Returns: The service.
  /// - Throws: ``StorageError`` if the database cannot be read.
  private func makeClusterService(
    _ cluster: PostgreSQLCluster,
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ keepers: SlotKeepers
  ) throws(StorageError) -> ClusterService {
    let limits = configuration.sessionLimits
    let means = StoreMeans(limits: limits, memory: memory)
    let slots = cluster.slots
    let options = ClusterOptions(
      makeStore: { storage, unownedSeconds throws(StorageError) in
        let writer: WorkerPool
        do throws(ServerError) { writer = try makeWriter() } catch {
          throw .failed("there is no thread to write with")
        }
        do throws(StorageError) {
          let store = try SessionStore(
            limits: limits,
            means: means,
            storage: storage,
            clock: { SystemClock.bootSeconds },
            wallClock: { SystemClock.wallSeconds },
            // The clock of the former owner may have been another one, and any clock may jump.
            maxDowntime: unownedSeconds + SessionStore.maxReadingAge,
            schedule: workers.schedule,
            accepts: { slots.slot(of: $0) == storage.slot },
            commit: writer.assign
          )
          return SlotStore(store: store) { writer.stop(finishing: true) }
        } catch {
          writer.stop()
          throw error
        }
      },
      assign: keepers.opening.assign,
      dispose: keepers.closing.assign,
      limits: limits,
      clock: { SystemClock.bootMilliseconds },
      tellGeneration: { tellGeneration(ofSlot: $0) },
      say: { Composition.say($0) }
    )
    return try ClusterService(cluster, options)
  }

  /// Prints a notice for the operator if a generation began in a slot.
  private func tellGeneration(ofSlot storage: PostgreSQLStorage) {
    guard let notice = try? GenerationNotice.text(storage.generationCause, storage, configuration)
    else { return }
    Composition.say("slot \(storage.slot): \(notice)")
  }
}

/// The threads that open and close slots, each of which may wait for the database.
private struct SlotKeepers {
  let opening: WorkerPool
  /// The threads that close lost slots, so that no other work waits for that.
  let closing: WorkerPool

  /// Starts the threads.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  init() throws(ServerError) {
    opening = try WorkerPool(threads: 4, maxQueued: 1_024)
    do throws(ServerError) {
      closing = try WorkerPool(threads: 2, maxQueued: 1_024)
    } catch {
      opening.stop()
      throw error
    }
  }

  /// Ends the threads after their work.
  func stop() {
    opening.stop(finishing: true)
    closing.stop(finishing: true)
  }
}
