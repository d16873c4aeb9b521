import HTTP
import HTTPServer
import TreeAPI
import TreeDomain
import TreeEngine
import TreeSessions
import TreeStorage

/// The whole service in this process, on a free port of the loopback interface, put together as
/// `tree-server` does it.
///
/// Its limits are such that no benchmark meets one. It stops when it is let go of.
final class LocalService {
  /// The store behind the API, for what is to be measured without HTTP.
  let store: SessionStore
  private let server: Server
  private let workers: WorkerPool
  private let writer: WorkerPool?

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - loops: how many event loops there are.
  ///   - threads: how many threads do what takes long.
  ///   - storage: where trees are kept; nil if they end with the service.
  ///   - snapshotBytes: how much happens to a tree there before it is written down whole.
  init(
    loops: Int = 1,
    workers threads: Int = 4,
    storage: SQLiteStorage? = nil,
    snapshotBytes: Int = .max
  ) {
    var options = ServerOptions()
    options.port = 0
    options.loops = loops
    var limits = Limits()
    limits.requestsPerConnectionMax = .max
    limits.bodyBytesMax = 1 << 30
    do {
      let workers = try WorkerPool(threads: threads, queueMax: 1_000, niceness: 10)
      self.workers = workers
      let spin = options.spinMicrosecondsMax
      let writer = try storage.map { _ in
        try WorkerPool(threads: 1, queueMax: 1, spinMicrosecondsMax: spin)
      }
      self.writer = writer
      if let storage, let writer {
        let clock = SteadyClock()
        store = try SessionStore(
          limits: LocalService.limits(snapshotBytes: snapshotBytes),
          storage: storage,
          clock: { clock.seconds },
          assign: workers.assign,
          commit: writer.assign
        )
      } else {
        store = LocalService.makeStore(assign: workers.assign)
      }
      var decoding = DecodingLimits()
      decoding.maxNodes = .max
      decoding.maxOperations = .max
      let api = TreeAPI(service: store, limits: decoding, run: workers.submit)
      server = try Server(options: options, limits: limits, handler: api)
      try server.start()
    } catch {
      preconditionFailure("a benchmark's service does not start: \(error)")
    }
  }

  deinit {
    server.stop(withinMilliseconds: 0)
    workers.stop()
    writer?.stop(finishing: true)
  }

  /// Where it listens.
  var port: UInt16 { server.port }

  /// A new connection to it.
  func connect() -> ServiceConnection { ServiceConnection(port: port) }

  /// A store without sessions whose limits no benchmark meets.
  ///
  /// - Parameter assign: has a worker do what takes long.
  /// - Returns: the store.
  static func makeStore(
    assign: @escaping SessionStore.Assignment = { work in work() }
  ) -> SessionStore {
    let start = ContinuousClock.now
    return SessionStore(
      limits: limits(),
      clock: { Int(start.duration(to: .now).components.seconds) },
      assign: assign
    )
  }

  private static func limits(snapshotBytes: Int = .max) -> SessionLimits {
    var limits = SessionLimits()
    limits.maxSessions = 1_000_000
    limits.maxNodesPerTree = 100_000_000
    limits.maxTotalBytes = 64 << 30
    limits.maxDepth = 10_000_000
    limits.maxFollowersPerSession = 1_000_000
    limits.snapshotBytes = snapshotBytes
    limits.snapshotEntries = .max
    return limits
  }
}

extension SessionStore {
  /// A new session over a tree of its own.
  func makeSession(
    _ shape: Shape,
    count: Int,
    options: SessionOptions = SessionOptions()
  ) -> SessionID {
    let list = NodeList(shape, count: count)
    return makeSession(NewSession(bytes: list.bytes, options: options, nodes: list.nodes))
  }

  /// A new session over a shared tree.
  func makeSession(over tree: TreeID, options: SessionOptions = SessionOptions()) -> SessionID {
    makeSession(NewSession(tree: tree, options: options))
  }

  private func makeSession(_ session: NewSession) -> SessionID {
    do {
      return try createSession(session, nil).description.session
    } catch {
      preconditionFailure("a benchmark's session was refused: \(error)")
    }
  }

  /// A new shared tree.
  func makeTree(_ shape: Shape, count: Int) -> TreeID {
    let list = NodeList(shape, count: count)
    var tree = NewTree()
    tree.bytes = list.bytes
    tree.nodes = list.nodes
    do {
      return try createTree(tree, nil).description.tree
    } catch {
      preconditionFailure("a benchmark's tree was refused: \(error)")
    }
  }
}
