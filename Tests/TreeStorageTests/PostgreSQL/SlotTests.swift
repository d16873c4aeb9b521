import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Several instances that share the slots of a database.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct SlotTests {
  private static let tree = TreeNumber(1)
  private let server: PostgreSQLServer
  private let database: String

  init() throws {
    server = try #require(PostgreSQLServer.shared)
    database = try server.makeDatabase()
  }

  private var uri: String { server.uri(of: database) }

  private func enter(_ address: String, _ uri: String? = nil) throws -> PostgreSQLCluster {
    let cluster = try PostgreSQLCluster(
      uri: uri ?? self.uri,
      address: address,
      slots: 4,
      leaseMilliseconds: 1_000
    )
    try cluster.start(hear: { _ in }, lose: {})
    return cluster
  }

  @Test func `a slot has one owner, and comes to another one when it is given up`() throws {
    let (first, second) = (try enter("a:1"), try enter("b:1"))
    let storage = try #require(try first.acquire(2))
    #expect(storage.slot == 2 && !storage.isLost)
    #expect(try second.acquire(2) == nil)
    let other = try #require(try second.acquire(1))
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    try other.commit([.makeTree(sample(1, "b"))])
    storage.close()
    let taken = try #require(try second.acquire(2))
    #expect(try taken.allEntries(of: 1) == [sample(1)])
    #expect(throws: StorageError.self) {
      try storage.commit([.append(sample(2), to: Self.tree)])
    }
    #expect(try other.sharedTrees().map(\.id) == [sample(1, "b").id])
    first.close()
    second.close()
  }

  @Test func `a slot of an instance that is silent is acquired, and its owner refuses`() throws {
    let proxy = try CuttingProxy(to: server.port)
    let detour = "postgresql://postgres@127.0.0.1:\(proxy.port)/\(database)"
    let (first, second) = (try enter("a:1", detour), try enter("b:1"))
    let storage = try #require(try first.acquire(0))
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    proxy.set(.stall)
    var taken = try second.acquire(0)
    while taken == nil { taken = try second.acquire(0) }
    #expect(!storage.isOwner && !first.isValid)
    try taken?.commit([.append(sample(2), to: Self.tree)])
    proxy.set(.pass)
    #expect(throws: StorageError.self) {
      try storage.commit([.append(sample(2, bytes: 3), to: Self.tree)])
    }
    #expect(storage.isLost)
    #expect(try taken?.allEntries(of: 1) == [sample(1), sample(2)])
    first.close()
    second.close()
  }

  @Test func `an owner that acquires its slot again writes with the later one only`() throws {
    let cluster = try enter("a:1")
    let storage = try #require(try cluster.acquire(0))
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    let again = try #require(try cluster.acquire(0))
    #expect(throws: StorageError.self) {
      try storage.commit([.append(sample(2), to: Self.tree)])
    }
    try again.commit([.append(sample(2), to: Self.tree)])
    #expect(try again.allEntries(of: 1).count == 2)
    cluster.close()
  }

  @Test func `sessions whose ids do not lead to them are found`() throws {
    let cluster = try enter("a:1")
    var random = SeededGenerator(seed: 3)
    let ids = (0..<30).map { _ in SessionID(using: &random) }
    let moved = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0 % 4) })
    try cluster.move(moved)
    #expect(try cluster.movedSessions() == moved)
    cluster.close()
  }

  @Test func `the session of a secret is found in all slots by one query`() throws {
    let cluster = try enter("a:1")
    var random = SeededGenerator(seed: 5)
    var sessions: [StoredSession] = []
    for slot in 0..<2 {
      let storage = try #require(try cluster.acquire(slot))
      var session = StoredSession(
        id: SessionID(using: &random),
        tree: Self.tree,
        isPrivate: false,
        idleTimeoutSeconds: 0,
        lastUse: 0
      )
      session.digest = .sample(&random)
      try storage.commit([.makeTree(sample(1, "a")), .makeSession(session)])
      sessions.append(session)
      storage.close()
    }
    for (slot, session) in sessions.enumerated() {
      let digest = try #require(session.digest)
      #expect(try cluster.session(openedBy: digest, in: [0, 1, 2]) == session)
      #expect(try cluster.session(openedBy: digest, in: [1 - slot]) == nil)
    }
    #expect(try cluster.session(openedBy: .sample(&random), in: [0, 1]) == nil)
    cluster.close()
  }
}
