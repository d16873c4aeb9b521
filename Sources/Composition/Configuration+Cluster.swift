internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeCluster
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

// An instance of a cluster, and its secret.
extension Configuration {
  /// Checks the address for other instances, and reads the secret that they share.
  ///
  /// - Throws: ``ConfigurationError`` if the secret is missing, or is not one word of 16 to 512
  ///   visible characters.
  mutating func readClusterSecret(
    _ contents: (String) throws(ConfigurationError) -> [UInt8]
  ) throws(ConfigurationError) {
    guard !advertise.isEmpty else { return }
    guard Upstream.isAddress(advertise) else {
      throw .faultyCluster(.malformedAddress(advertise))
    }
    guard !clusterSecretFile.isEmpty else { throw .faultyCluster(.noSecret) }
    let words = try contents(clusterSecretFile).split { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    guard words.count == 1, let secret = ClusterSecret(words[0]) else {
      throw .faultyCluster(.malformedSecret(clusterSecretFile))
    }
    clusterSecret = secret
  }

  /// Creates the sender of requests to other instances; nil for an instance that works alone.
  ///
  /// - Throws: ``ServerError`` if the system has no threads left.
  func makeUpstream() throws(ServerError) -> Upstream? {
    guard clusterSecret != nil else { return nil }
    var options = UpstreamOptions()
    // A forwarded request may wait for events as long as a client may.
    let longest = max(limits.handlerTimeoutMilliseconds, api.maxWaitSeconds * 1_000)
    options.headMilliseconds = max(options.headMilliseconds, longest + 30_000)
    return try Upstream(options: options, limits: limits)
  }

  /// Registers this instance in the database; nil if there is no database.
  ///
  /// - Throws: ``StorageError`` if another instance excludes it, or the database cannot be used.
  func enterCluster() throws(StorageError) -> PostgreSQLCluster? {
    isDatabase ? try PostgreSQLCluster(uri: storage, address: advertise) : nil
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
  func makeClusterService(
    _ cluster: PostgreSQLCluster,
    _ memory: MemoryAccount,
    _ workers: Scheduler,
    _ keepers: SlotKeepers
  ) throws(StorageError) -> ClusterService {
    let limits = sessionLimits
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
    guard let notice = try? generationNotice(storage.generationCause, storage) else { return }
    Composition.say("slot \(storage.slot): \(notice)")
  }

}

/// The threads that open and close slots, each of which may wait for the database.
struct SlotKeepers {
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

/// A fault in the settings of a cluster.
enum ClusterFault: Equatable {
  /// An address for other instances that is not `host:port`.
  case malformedAddress(String)
  /// An address for other instances without a database.
  case noDatabase
  /// An address for other instances without a shared secret.
  case noSecret
  /// A file with a secret that is too short, or not one word.
  case malformedSecret(String)

  /// A sentence for the operator.
  var sentence: String {
    switch self {
    case .malformedAddress(let text):
      "advertise: \"\(text)\" is no numeric address; write it as 10.0.0.5:8080 or [::1]:8080"
    case .noDatabase:
      "advertise is for several instances on one database; set storage to postgresql://…"
    case .noSecret:
      """
      advertise needs a clusterSecretFile, with a secret that all instances share: \
      openssl rand -hex 32 makes one
      """
    case .malformedSecret(let path):
      "\(path) must have one word of 16 to 512 visible characters: openssl rand -hex 32 makes one"
    }
  }
}
