import Foundation
import Glibc
import TestSupport

/// Instances of the service with a pair of database servers.
final class Deployment {
  let pair: PostgreSQLPair
  let instances: [Instance]
  private let folder: TemporaryFolder

  /// The API key of clients.
  static let key = "0123456789abcdef0123456789abcdef"

  /// Starts instances. Several instances form a cluster.
  init(instances count: Int, seed: UInt64) throws {
    pair = try PostgreSQLPair()
    folder = try TemporaryFolder()
    let folder = folder
    func secretFile(_ name: String, _ text: String) -> String {
      let path = "\(folder.path)/\(name)"
      let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
      let data = Data("\(text)\n".utf8)
      _ = FileManager.default.createFile(atPath: path, contents: data, attributes: attributes)
      return path
    }
    let random64 = "\(UUID().uuidString)\(UUID().uuidString)"
    let secret = count > 1 ? secretFile("secret", random64) : nil
    let keys = secretFile("keys", "client:\(Self.key)")
    var random = SeededGenerator(seed: seed &+ UInt64(getpid()))
    // Settings that write snapshots often and unload idle trees soon.
    let settings = [
      "--loops", "2", "--snapshot-entries", "50", "--idle-tree-seconds", "2", "--keys-file", keys,
    ]
    var instances: [Instance] = []
    for _ in 0..<count {
      let port = UInt16(random.number(in: 20_001...32_000))
      let instance = try Instance(over: pair, port: port, secret: secret, settings)
      try instance.start()
      instances.append(instance)
    }
    self.instances = instances
  }

  /// The ports for clients.
  var ports: [UInt16] { instances.map(\.port) }

  /// Repairs all networks and continues all processes.
  func heal() {
    for network in pair.networks { network.heal() }
    for instance in instances {
      for network in instance.database { network.heal() }
      instance.others?.heal()
      instance.signal(SIGCONT)
    }
  }

  /// The recent standard error of all instances, and the state of the database.
  var log: String {
    let logs = instances.map { "\($0.port): \($0.log.suffix(3_000))" }
    let answers = Self.questions.map { (try? pair.sql($0)) ?? "no answer" }
    return (logs + answers).joined(separator: "\n")
  }

  private static let questions = [
    "SELECT clock_timestamp()", "SELECT * FROM tree_service.instances ORDER BY id",
    "SELECT * FROM tree_service.slots ORDER BY number",
    """
    SELECT pid, backend_start, xact_start, state_change, wait_event_type, wait_event, state,
    pg_blocking_pids(pid), left(query, 100) FROM pg_stat_activity WHERE state IS NOT NULL
    """,
    "SELECT * FROM pg_stat_replication",
  ]
}
