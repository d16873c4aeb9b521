import Composition
import TreeDomain
import TreeEngine
import TreeSessions
import TreeStorage

/// The whole service in this process, on a free port of the loopback interface.
///
/// It is composed as in `tree-server`, with limits that no benchmark reaches. It stops when it is
/// released.
final class LocalService {
  /// The store behind the API, for measurements without HTTP.
  var store: SessionStore {
    guard let store = service.store else { preconditionFailure("it uses no database") }
    return store
  }
  /// The storage of the trees; nil if they are in memory only.
  var storage: SQLiteStorage? { service.storage }
  private let service: Service

  /// Starts the service.
  ///
  /// - Parameters:
  ///   - loops: The number of event loops.
  ///   - folder: The folder of the database; nil to keep trees in memory only.
  ///   - snapshotBytes: The bytes of journal entries after which a snapshot is written.
  init(loops: Int = 1, folder: String? = nil, snapshotBytes: Int = 1 << 40) {
    let arguments = [
      "--port=0", "--loops=\(loops)", "--drain-seconds=0", "--snapshot-bytes=\(snapshotBytes)",
      folder.map { "--data=\($0)" } ?? "--storage=memory",
    ]
    do {
      service = try Service(arguments: arguments + Self.limits) { limits in
        limits.snapshotWork = .seconds(86_400)
      }
    } catch {
      preconditionFailure("a benchmark's service does not start: \(error)")
    }
  }

  deinit { service.stop() }

  /// The port on which it listens.
  var port: UInt16 { service.port }

  /// Opens a new connection to the service.
  func connect() -> ServiceConnection { ServiceConnection(port: port) }

  /// The limits, which no benchmark reaches.
  private static let limits = [
    "--max-requests-per-connection=1000000000", "--max-body-bytes=536870912",
    "--max-nodes-per-body=1000000000", "--max-operations-per-batch=10000000",
    "--max-sessions=1000000", "--max-nodes-per-tree=100000000", "--max-memory-bytes=68719476736",
    "--max-depth=10000000", "--max-followers=4000000", "--max-waiting-calls=4000",
    "--snapshot-entries=1000000000",
  ]

  /// Makes a store without sessions, with limits that no benchmark reaches.
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
