import Foundation
import Synchronization

/// A primary PostgreSQL server and a synchronous streaming standby.
///
/// Each server has a place, whose address stays the same: a proxy forwards to it. Commits wait for
/// the standby while there is one.
package final class PostgreSQLPair: Sendable {
  private struct Contents {
    var servers: [PostgreSQLServer?]
    /// The place of the primary.
    var primary = 0
  }

  /// The networks to the two places.
  package let networks: [FaultyProxy]
  private let contents: Mutex<Contents>
  private let database: String

  /// The settings of both servers.
  private static let settings = ["wal_keep_size = 256MB", "wal_receiver_timeout = 5s"]

  /// Creates and starts both servers.
  package init() throws {
    let primary = try PostgreSQLServer(Self.settings, hasOwnClock: true)
    database = try primary.makeDatabase()
    contents = Mutex(Contents(servers: [primary, nil]))
    networks = try (0..<2).map { _ in try FaultyProxy(to: primary.port) }
    try makeStandby()
  }

  /// Returns a connection URI that leads to the current primary.
  ///
  /// - Parameter networks: The networks to the two places.
  package func uri(through networks: [FaultyProxy]) -> String {
    let hosts = networks.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    return "postgresql://postgres@\(hosts)/\(database)?target_session_attrs=read-write"
  }

  /// The place of the primary.
  package var primaryPlace: Int { contents.withLock { $0.primary } }

  /// Runs statements on the primary, without the network.
  @discardableResult
  package func sql(_ text: String) throws -> String {
    let server = contents.withLock { $0.servers[$0.primary] }
    return try server?.sql(text, in: database) ?? ""
  }

  /// Moves the clock of the primary forward, or puts it back.
  package func moveClock(bySeconds seconds: Int) throws {
    try contents.withLock { $0.servers[$0.primary] }?.clock.advance(bySeconds: seconds)
  }

  /// Has the primary accept no connections of the service, and ends those that there are; or has it
  /// accept them again.
  package func refuseConnections(_ isRefusing: Bool) throws {
    let server = contents.withLock { $0.servers[$0.primary] }
    _ = try server?.sql("ALTER DATABASE \(database) ALLOW_CONNECTIONS \(!isRefusing)")
    guard isRefusing else { return }
    _ = try server?.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'"
    )
  }

  /// Has all insertions of entries fail as on a full disk, or succeed again.
  package func fillDisk(_ isFull: Bool) throws {
    let change =
      isFull
      ? "CREATE TRIGGER full_disk BEFORE INSERT ON %I.entries EXECUTE FUNCTION public.full_disk()"
      : "DROP TRIGGER IF EXISTS full_disk ON %I.entries"
    try sql(
      """
      CREATE OR REPLACE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
      DO $$ DECLARE place name; BEGIN
      FOR place IN SELECT schemaname FROM pg_tables WHERE tablename = 'entries' LOOP
      EXECUTE format('\(change)', place); END LOOP; END $$
      """
    )
  }

  /// Kills all processes of the primary at once, and restarts it.
  package func restartPrimary() throws {
    let server = contents.withLock { $0.servers[$0.primary] }
    try server?.kill()
    networks[primaryPlace].cut()
    try server?.start()
  }

  /// Kills all processes of the primary at once, and promotes the standby.
  package func failOver() throws {
    let old = contents.withLock { $0.servers[$0.primary] }
    try old?.kill()
    networks[primaryPlace].cut()
    try promote()
  }

  /// Promotes the standby, without any effect on the old primary.
  package func promote() throws {
    let place = 1 - primaryPlace
    let standby = contents.withLock { $0.servers[place] }
    guard let standby else { throw PostgreSQLServer.Failure(text: "there is no standby") }
    _ = try standby.sql("SELECT pg_promote(true, 60)")
    contents.withLock { $0.primary = place }
  }

  /// Kills the old primary, and creates a synchronous standby in its place.
  package func makeStandby() throws {
    let (primary, place) = contents.withLock { ($0.servers[$0.primary], 1 - $0.primary) }
    guard let primary else { return }
    try contents.withLock { $0.servers[place] }?.kill()
    networks[place].cut()
    let standby = try PostgreSQLServer(
      Self.settings + ["synchronous_standby_names = ''"],
      standbyOf: primary.port,
      hasOwnClock: true
    )
    networks[place].lead(to: standby.port)
    contents.withLock { $0.servers[place] = standby }
    try primary.add("synchronous_standby_names = '*'")
    let state = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
    for _ in 0..<1_200 {
      if try primary.sql(state) == "1" { return }
      usleep(50_000)
    }
    throw PostgreSQLServer.Failure(text: "the standby does not follow")
  }
}
