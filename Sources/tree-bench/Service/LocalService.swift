import Composition
import TreeDomain
import TreeEngine
import TreeSessions
import TreeStorage

/// The whole service in this process, on a free port of the loopback interface, put together as
/// that of `tree-server` is.
///
/// Its limits are such that no benchmark meets one. It stops when it is let go of.
final class LocalService {
  /// The store behind the API, for what is to be measured without HTTP.
  var store: SessionStore { service.store }
  /// Where trees are kept, if they are.
  var storage: SQLiteStorage? { service.storage }
  private let service: Service

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - loops: how many event loops there are.
  ///   - folder: where trees are kept; nil if they end with the service.
  ///   - snapshotBytes: how much happens to a tree there before it is written down whole.
  init(loops: Int = 1, folder: String? = nil, snapshotBytes: Int = 1 << 40) {
    let arguments = [
      "--port=0", "--loops=\(loops)", "--drain-seconds=0", "--snapshot-bytes=\(snapshotBytes)",
      folder.map { "--data=\($0)" } ?? "--storage=memory",
    ]
    do {
      service = try Service(arguments: arguments + Self.limits)
    } catch {
      preconditionFailure("a benchmark's service does not start: \(error)")
    }
  }

  deinit { service.stop() }

  /// Where it listens.
  var port: UInt16 { service.port }

  /// A new connection to it.
  func connect() -> ServiceConnection { ServiceConnection(port: port) }

  /// What no benchmark meets.
  private static let limits = [
    "--max-requests-per-connection=1000000000", "--max-body-bytes=536870912",
    "--max-nodes-per-body=1000000000", "--max-operations-per-batch=10000000",
    "--max-sessions=1000000", "--max-nodes-per-tree=100000000", "--max-memory-bytes=68719476736",
    "--max-depth=10000000", "--max-followers=1000000", "--max-followers-per-session=1000000",
    "--max-waiting-jobs=1000", "--snapshot-entries=1000000000",
    "--snapshot-work-milliseconds=86400000",
  ]

  /// A store without sessions whose limits no benchmark meets.
  static func makeStore() -> SessionStore {
    let start = ContinuousClock.now
    var limits = SessionLimits()
    limits.maxSessions = 1_000_000
    limits.maxNodesPerTree = 100_000_000
    limits.maxMemoryBytes = 64 << 30
    limits.maxDepth = 10_000_000
    limits.maxFollowersPerSession = 1_000_000
    return SessionStore(
      limits: limits,
      clock: { Int(start.duration(to: .now).components.seconds) }
    )
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
