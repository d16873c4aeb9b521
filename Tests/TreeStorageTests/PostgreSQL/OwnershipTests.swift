import Foundation
import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Tests that a single instance owns a database.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct OwnershipTests {
  private static let tree = TreeNumber(1)
  private let server: PostgreSQLServer
  private let database: String

  init() throws {
    server = try #require(PostgreSQLServer.shared)
    database = try server.makeDatabase()
  }

  /// The outcome of a commit on another thread.
  private final class LateCommit: Sendable {
    let outcome = Mutex<Result<Void, StorageError>?>(nil)
    let hasEnded = DispatchSemaphore(value: 0)
  }

  private var uri: String { server.uri(of: database) }

  @Test func `a second instance is refused as long as the first one lives`() throws {
    let first = try OneSlot(uri, leaseMilliseconds: 1_000)
    try first.storage.commit([.makeTree(sample(1, "a"))])
    for _ in 0..<2 {
      do throws(StorageError) {
        _ = try OneSlot(uri, leaseMilliseconds: 1_000)
        Issue.record("two own the database")
      } catch {
        #expect(error.reason.contains("in use by another instance (process \(getpid()) on "))
        #expect(error.reason.contains("--storage another database"))
      }
    }
    try first.storage.commit([.append(sample(1), to: Self.tree)])
    #expect(first.storage.isOwner && !first.storage.isLost)
    first.close()
    let second = try OneSlot(uri, leaseMilliseconds: 60_000)
    #expect(try second.storage.allEntries(of: 1) == [sample(1)])
    try second.storage.commit([.append(sample(2), to: Self.tree)])
    #expect(throws: StorageError.self) {
      try first.storage.commit([.append(sample(3), to: Self.tree)])
    }
    #expect(try second.storage.allEntries(of: 1).count == 2)
  }

  /// The former owner is cut off, as by a partition, and its commit arrives late.
  @Test(arguments: [false, true])
  func `an owner that was silent is fenced off`(isCommitUnderWay: Bool) throws {
    let proxy = try CuttingProxy(to: server.port)
    let detour = "postgresql://postgres@127.0.0.1:\(proxy.port)/\(database)"
    let first = try OneSlot(detour, leaseMilliseconds: 1_000)
    try first.storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    proxy.set(.stall)
    let late = LateCommit()
    let commit: @Sendable () -> Void = {
      let result = Result { () throws(StorageError) in
        try first.storage.commit([
          .append(sample(2, bytes: 99), to: Self.tree),
          .setClock(.init(seconds: 1, wallSeconds: 2)),
        ])
      }
      late.outcome.withLock { $0 = result }
      late.hasEnded.signal()
    }
    if isCommitUnderWay { Thread.detachNewThread(commit) }
    // It waits for the lease of the first one.
    let second = try OneSlot(uri, leaseMilliseconds: 1_000)
    #expect(!first.storage.isOwner, "it knows by its own clock that its lease is over")
    try second.storage.commit([.append(sample(2), to: Self.tree)])
    proxy.set(.pass)
    if !isCommitUnderWay { commit() }
    late.hasEnded.wait()
    late.outcome.withLock { outcome in
      guard case .failure(.failed(let reason)) = outcome else {
        Issue.record("\(String(describing: outcome))")
        return
      }
      #expect(reason.contains("another instance has taken over"))
    }
    #expect(first.storage.isLost)
    #expect(try second.storage.allEntries(of: 1) == [sample(1), sample(2)])
    #expect(try second.storage.clockReading() == nil)
    try second.storage.commit([.append(sample(3), to: Self.tree)])
    #expect(second.storage.isOwner && !second.storage.isLost)
  }

  /// The fence of a tree counts by itself, too: for owners of single trees.
  @Test func `a tree with another fence takes no entry`() throws {
    let instance = try OneSlot(uri)
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    _ = try server.sql("UPDATE tree_service_00.trees SET fence = fence + 100", in: database)
    #expect(throws: StorageError.self) {
      try storage.commit([.append(sample(2), to: Self.tree)])
    }
    #expect(storage.isLost)
    #expect(try storage.allEntries(of: 1) == [sample(1)])
  }

  @Test func `a sweep commits nothing if nothing is unused`() throws {
    let instance = try OneSlot(uri)
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a"))])
    let count = "SELECT commits FROM tree_service_00.writers"
    let before = try server.sql(count, in: database)
    #expect(try !storage.sweep(limit: 10))
    #expect(try server.sql(count, in: database) == before)
    try storage.commit([.deleteTree(Self.tree)])
    #expect(try storage.sweep(limit: 10))
  }

  @Test func `what a former owner had lost begins a generation`() throws {
    let first = try OneSlot(uri)
    let storage = first.storage
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    storage.recordLoss(entry: 7, revision: 1_700_000)
    #expect(try storage.generations().current == Revision(0))
    first.close()
    let next = try OneSlot(uri)
    #expect(next.storage.generationCause == .lostChanges)
    #expect(try next.storage.generations().current == Revision(3_000_000))
    next.close()
    let last = try OneSlot(uri)
    #expect(last.storage.generationCause == nil)
    #expect(try last.storage.generations().current == Revision(3_000_000))
  }
  /// Nobody at the other end answers, as if all packets were lost.
  @Test func `a commit that nobody answers ends with the slot`() throws {
    let proxy = try FaultyProxy(to: server.port)
    let detour = "postgresql://postgres@127.0.0.1:\(proxy.port)/\(database)"
    let first = try OneSlot(detour, leaseMilliseconds: 1_000)
    try first.storage.commit([.makeTree(sample(1, "a"))])
    proxy.part(.requests, .answers)
    let late = LateCommit()
    Thread.detachNewThread {
      let result = Result { () throws(StorageError) in
        try first.storage.commit([.append(sample(1), to: Self.tree)])
      }
      late.outcome.withLock { $0 = result }
      late.hasEnded.signal()
    }
    while first.storage.isOwner { usleep(10_000) }
    first.storage.close()
    #expect(late.hasEnded.wait(timeout: .now() + 60) == .success)
    #expect(throws: StorageError.self) { try late.outcome.withLock { $0 }?.get() }
    proxy.heal()
    first.close()
    let second = try OneSlot(uri)
    #expect([0, 1].contains(try second.storage.allEntries(of: 1).count))
  }

  @Test(.enabled(if: MovableClock.isAvailable))
  func `a lease does not end because the clock of the database jumps`() throws {
    let server = try PostgreSQLServer(hasOwnClock: true)
    let uri = server.uri(of: try server.makeDatabase())
    let first = try OneSlot(uri, leaseMilliseconds: 2_000)
    for seconds in [100_000, -100_000] {
      try server.clock.move(bySeconds: seconds)
      #expect(throws: StorageError.self) { try OneSlot(uri, leaseMilliseconds: 2_000) }
      #expect(first.storage.isOwner)
    }
  }

  @Test func `an instance that is gone does not stay because the clock was put back`() throws {
    try OneSlot(uri).close()
    _ = try server.sql(
      """
      SET search_path = tree_service;
      INSERT INTO instances (address, name, until) VALUES ('', 'x', now() + interval '1 day');
      UPDATE slots SET owner = (SELECT max(id) FROM instances)
      """,
      in: database
    )
    let next = try OneSlot(uri, leaseMilliseconds: 5_000)
    #expect(next.storage.isOwner)
  }
}
