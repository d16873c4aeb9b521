import Foundation
import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Acquisitions of slots that something is in the way of.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct AcquisitionTests {
  private static let lockOfWriters = """
    BEGIN; SELECT fence FROM tree_service_00.writers FOR UPDATE
    """

  private let server: PostgreSQLServer
  private let database: String

  init() throws {
    server = try PostgreSQLServer(hasOwnClock: true)
    database = try server.makeDatabase()
  }

  private var uri: String { server.uri(of: database) }

  /// An instance that tries to acquire the first slot on a thread of its own.
  private final class Taker: Sendable {
    let cluster: PostgreSQLCluster
    /// The number of attempts that came to an end.
    let attempts = Atomic(0)
    private let slot = Mutex<PostgreSQLStorage?>(nil)

    init(_ uri: String) throws {
      cluster = try PostgreSQLCluster(uri: uri, address: "b:1", slots: 1)
      try cluster.start(hear: { _ in }, lose: {})
    }

    /// The storage of the slot; nil before it was acquired.
    var storage: PostgreSQLStorage? { slot.withLock { $0 } }

    func run() {
      Thread.detachNewThread { [self] in
        while storage == nil {
          let storage = try? cluster.acquire(0)
          slot.withLock { $0 = storage }
          attempts.add(1, ordering: .releasing)
          usleep(10_000)
        }
      }
    }
  }

  /// An instance alone that starts on a thread of its own.
  private final class Starter: Sendable {
    private let outcome = Mutex<Result<PostgreSQLCluster, any Error>?>(nil)

    init(_ uri: String) {
      Thread.detachNewThread { [self] in
        let made = Result<_, any Error> { try PostgreSQLCluster(uri: uri, slots: 1) }
        outcome.withLock { $0 = made }
      }
    }

    var hasEnded: Bool { outcome.withLock { $0 != nil } }

    /// The instance, once its start has ended.
    var cluster: PostgreSQLCluster? {
      get throws { try outcome.withLock { try $0?.get() } }
    }
  }

  /// Waits until something is so, for a minute at most.
  private func wait(until isSo: () throws -> Bool) throws {
    for _ in 0..<600 {
      if try isSo() { return }
      usleep(100_000)
    }
    try #require(Bool(false), "nothing happened for a minute")
  }

  /// The time limits of the database for locks use its time of day.
  @Test(.enabled(if: MovableClock.isAvailable))
  func `an acquisition ends if the clock of the database is put back`() throws {
    let first = try PostgreSQLCluster(uri: uri, address: "a:1", slots: 1)
    let storage = try #require(try first.acquire(0))
    first.close()
    // A commit of the former owner is still under way.
    let late = try PostgreSQLConnection(PostgreSQLAddress(uri))
    try late.run(Self.lockOfWriters)
    let taker = try Taker(uri)
    taker.run()
    var seconds = 0
    try wait {
      seconds -= 1_000
      try server.clock.move(bySeconds: seconds)
      return taker.attempts.load(ordering: .acquiring) >= 3
    }
    #expect(taker.storage == nil)
    try late.run("ROLLBACK")
    try wait { taker.storage != nil }
    #expect(taker.storage?.isOwner == true && storage.isLost)
    taker.cluster.close()
  }

  /// Its last request is on its way to a server that is slow.
  @Test func `an instance whose lease is extended after its death is not in the way`() throws {
    let dead = try PostgreSQLCluster(uri: uri, slots: 1)
    let next = Starter(uri)
    // It has read the lease by then.
    sleep(1)
    _ = try server.sql(
      "UPDATE tree_service.instances SET until = clock_timestamp() + interval '5 s'",
      in: database
    )
    try wait { next.hasEnded }
    let cluster = try #require(try next.cluster)
    #expect(cluster.isValid && !dead.isValid)
    cluster.close()
  }

  /// The server ends a transaction in which nothing happens for 5 s.
  @Test func `an instance that is stopped while it starts goes on`() throws {
    try PostgreSQLCluster(uri: uri, slots: 1).close()
    let late = try PostgreSQLConnection(PostgreSQLAddress(uri))
    try late.run("BEGIN; SELECT value FROM meta WHERE key = 'format' FOR UPDATE")
    let next = Starter(uri)
    let waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    try wait { try server.sql("SELECT count(*) \(waiting)") == "1" }
    _ = try server.sql("SELECT pg_terminate_backend(pid) \(waiting)")
    try late.run("ROLLBACK")
    try wait { next.hasEnded }
    let cluster = try #require(try next.cluster)
    #expect(cluster.isValid)
    cluster.close()
  }

  /// The process is stopped, so that its machine still answers for it.
  @Test func `an instance that is stopped while it acquires a slot is not in the way`() throws {
    let taker = try Taker(uri)
    let stopped = try PostgreSQLConnection(PostgreSQLAddress(uri))
    try stopped.beginBriefly()
    try stopped.query("SELECT owner FROM slots WHERE number = 0 FOR UPDATE")
    #expect(throws: StorageError.self) { try taker.cluster.acquire(0) }
    taker.run()
    try wait { taker.storage != nil }
    #expect(throws: StorageError.self) { try stopped.run("COMMIT") }
    taker.cluster.close()
  }
}
