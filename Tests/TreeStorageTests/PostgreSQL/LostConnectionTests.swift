import Foundation
import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Commits on connections that are lost at any byte, and on a server that is killed.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct LostConnectionTests {
  private static let tree = TreeNumber(1)
  /// The answer to a commit begins with its length and name.
  private static let committed = Array("COMMIT\0".utf8)

  /// The work of a thread that commits.
  private final class Work: Sendable {
    let acknowledged = Atomic(0)
    let isOver = Atomic(false)
    let hasEnded = DispatchSemaphore(value: 0)
  }

  /// An entry that no other is equal to.
  private func entry(_ number: Int, _ random: inout SeededGenerator) -> StoredEntry {
    let body = (0..<random.number(in: 8...3_000)).map { _ in UInt8(random.number(in: 0...255)) }
    return StoredEntry(number: number, revision: number, nodeCount: 1, body: body)
  }

  @Test(arguments: Seed.seeds(count: 2))
  func `nothing is lost or done twice when connections are cut`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let server = try #require(PostgreSQLServer.shared)
    let database = try server.makeDatabase()
    let proxy = try CuttingProxy(to: server.port)
    let uri = "postgresql://postgres@127.0.0.1:\(proxy.port)/\(database)"
    let instance = try OneSlot(uri)
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a"))])
    var entries: [StoredEntry] = []
    for _ in 0..<Seed.operations(default: 60) {
      switch random.number(in: 0...4) {
      case 0: proxy.set(.cutAnswer(with: Self.committed))
      case 1...2: proxy.set(.cutRequest(after: random.number(in: 0...6_000)))
      default: break
      }
      let new = (1...random.number(in: 1...3)).map { entry(entries.count + $0, &random) }
      try storage.commit(new.map { .append($0, to: Self.tree) })
      entries += new
      let read = try storage.allEntries(of: 1, after: max(0, entries.count - 5))
      try #require(read == Array(entries.suffix(5)), "seed \(seed)")
    }
    proxy.set(.pass)
    #expect(proxy.cutCount > 10, "seed \(seed)")
    instance.close()
    let reader = try #require(try PostgreSQLCluster.reading(server.uri(of: database))?.first)
    #expect(try reader.allEntries(of: 1) == entries, "seed \(seed)")
  }

  /// The answer is lost, and only the reading of what is there tells that it was done.
  @Test func `a commit whose answer was lost is not done again`() throws {
    let server = try #require(PostgreSQLServer.shared)
    let database = try server.makeDatabase()
    let proxy = try CuttingProxy(to: server.port)
    let uri = "postgresql://postgres@127.0.0.1:\(proxy.port)/\(database)"
    let instance = try OneSlot(uri)
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a"))])
    proxy.set(.cutAnswer(with: Self.committed))
    // A second one would be refused, as its number is taken.
    try storage.commit([.append(sample(1), to: Self.tree)])
    #expect(proxy.cutCount == 1)
    #expect(try storage.allEntries(of: 1) == [sample(1)])
    #expect(try server.sql("SELECT count(*) FROM tree_service_00.entries", in: database) == "1")
  }

  @Test func `a server that is killed loses nothing that was acknowledged`() throws {
    let server = try PostgreSQLServer(["fsync = on"])
    let database = try server.makeDatabase()
    let instance = try OneSlot(server.uri(of: database))
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a"))])
    let work = Work()
    Thread.detachNewThread {
      while !work.isOver.load(ordering: .acquiring) {
        let number = work.acknowledged.load(ordering: .acquiring) + 1
        do throws(StorageError) {
          try storage.commit([.append(sample(number, bytes: number % 3_000), to: Self.tree)])
          work.acknowledged.store(number, ordering: .releasing)
        } catch {
          // The server is not there yet: nothing has changed, so the same number comes again.
          if case .failed = error { usleep(1_000) } else { Issue.record("\(error)") }
        }
      }
      work.hasEnded.signal()
    }
    for _ in 0..<3 {
      let before = work.acknowledged.load(ordering: .acquiring)
      while work.acknowledged.load(ordering: .acquiring) < before + 50 { usleep(1_000) }
      try server.kill()
      try server.start()
    }
    let last = work.acknowledged.load(ordering: .acquiring)
    while work.acknowledged.load(ordering: .acquiring) < last + 10 { usleep(1_000) }
    work.isOver.store(true, ordering: .releasing)
    work.hasEnded.wait()
    let count = work.acknowledged.load(ordering: .acquiring)
    let read = try storage.allEntries(of: 1)
    #expect(read.map(\.number) == Array(1...count))
    #expect(read.allSatisfy { $0 == sample($0.number, bytes: $0.number % 3_000) })
  }
}
