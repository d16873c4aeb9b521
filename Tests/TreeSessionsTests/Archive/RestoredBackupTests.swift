import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// After a restore, trees and sessions continue at the first revision of a generation, without
/// earlier history.
struct RestoredBackupTests {
  private static let start: UInt64 = 1_000_000
  private let storage = MemoryStorage()
  private let clock = ManualClock()
  private let tree: TreeID

  init() throws { tree = try #require(TreeID(validating: "t".utf8)) }

  private func makeStore(snapshotEntries: Int) throws -> SessionStore {
    var limits = SessionLimits()
    limits.snapshotEntries = snapshotEntries
    limits.idleSessionSeconds = 10
    limits.maxIdleViewsPerTree = 1
    clock.now += 1
    return try SessionStore(limits: limits, storage: storage, clock: { [clock] in clock.now })
  }

  /// Makes two sessions of the shared tree, the second of which sleeps, and one with a private
  /// tree.
  private func makeSessions(_ store: SessionStore) throws -> [SessionID] {
    try store.make("t", #""nodes":[{"key":"a","children":[{"key":"b"}]},{"key":"c"}]"#)
    let sessions = try ["{\"tree\":\"t\"}", "{\"tree\":\"t\"}", "{}"].map {
      try StoreUnderTest($0, in: store)
    }
    try sessions[1].apply(#"{"op":"collapse","key":"a"}"#, #"{"op":"select","key":"c"}"#)
    try sessions[2].apply(#"{"op":"insert","key":"own"}"#)
    clock.now += 5
    try sessions[0].apply(#"{"op":"insert","key":"d"}"#)
    clock.now += 6
    store.runMaintenance()
    try sessions[0].apply(#"{"op":"insert","key":"e"}"#)
    return sessions.map(\.id)
  }

  private func expired(
    _ store: SessionStore,
    _ id: SessionID,
    since: UInt64
  ) -> ServiceError? {
    refusal { () throws(ServiceError) in
      _ = try store.changes(of: id, ChangesQuery(since: Revision(since)))
    }
  }

  private func revisions(
    _ store: SessionStore,
    _ id: SessionID
  ) throws(ServiceError) -> [UInt64] {
    let description = try store.session(id, expectedRevision: nil)
    return [description.revision.number, description.treeRevision.number]
  }

  @Test(arguments: [1, 1_000])
  func `all revisions continue at the first one of the generation`(snapshotEntries: Int) throws {
    let store = try makeStore(snapshotEntries: snapshotEntries)
    let ids = try makeSessions(store)
    let rows = try ids.map { try StoreUnderTest($0, of: store).rows() }
    let backup = storage.backUp()
    for key in ["x", "y", "z"] {
      for id in [ids[0], ids[2]] {
        try StoreUnderTest(id, of: store).apply(#"{"op":"insert","key":"\#(key)"}"#)
      }
    }
    try store.make("lost")
    storage.restore(backup)
    let restored = try makeStore(snapshotEntries: snapshotEntries)
    let listed = restored.trees(after: nil, limit: 9).trees
    #expect(listed.map(\.revision.number) == [Self.start], "no tree is read yet")
    #expect(try restored.tree(tree, expectedRevision: nil).revision == Revision(Self.start))
    for (id, rows) in zip(ids, rows) {
      #expect(try StoreUnderTest(id, of: restored).rows() == rows)
      #expect(try revisions(restored, id) == [Self.start, Self.start])
      for since: UInt64 in [0, 1, 2, 5, Self.start - 1, Self.start + 1] {
        let error = expired(restored, id, since: since)
        #expect(error?.code == .historyExpired, "since \(since)")
        #expect(error?.revision == Revision(Self.start))
      }
      let nothing = try restored.changes(of: id, ChangesQuery(since: Revision(Self.start)))
      #expect(StoreUnderTest.json(nothing).contains(#""changes":[]"#))
    }
    try expectGoingOn(restored, ids, snapshotEntries)
  }

  /// Expects that writes and restarts work as usual.
  private func expectGoingOn(
    _ restored: SessionStore,
    _ ids: [SessionID],
    _ snapshotEntries: Int
  ) throws {
    var store = restored
    for round: UInt64 in 1...3 {
      let session = StoreUnderTest(ids[0], of: store)
      let answer = try session.apply(#"{"op":"insert","key":"n\#(round)"}"#)
      #expect(answer.revision == Revision(Self.start + round))
      #expect(answer.previousRevision == Revision(Self.start + round - 1))
      let pictures = try ids.map { try store.picture(of: $0) + store.past(of: $0) }
      store = try makeStore(snapshotEntries: snapshotEntries)
      for (id, picture) in zip(ids, pictures) {
        #expect(try store.picture(of: id) + store.past(of: id) == picture, "round \(round)")
        #expect(expired(store, id, since: 5)?.code == .historyExpired)
      }
      let list = try store.changes(of: ids[0], ChangesQuery(since: Revision(Self.start)))
      #expect(StoreUnderTest.json(list).contains(#""key":"n\#(round)""#))
    }
    #expect(try revisions(store, ids[1]) == [Self.start + 3, Self.start + 3])
    #expect(try revisions(store, ids[2]) == [Self.start, Self.start], "nobody wrote to it")
  }

  @Test(arguments: [1, 1_000])
  func `new trees and sessions begin in the generation, and stay in it`(snapshotEntries: Int) throws
  {
    _ = try makeSessions(makeStore(snapshotEntries: snapshotEntries))
    storage.restore(storage.backUp())
    var store = try makeStore(snapshotEntries: snapshotEntries)
    #expect(try store.tree(store.make("new"), expectedRevision: nil).revision.number == Self.start)
    let sessions = try ["{}", #"{"tree":"t"}"#, #"{"tree":"new"}"#].map {
      try StoreUnderTest($0, in: store).id
    }
    for round: UInt64 in 0...2 {
      for id in sessions { #expect(try revisions(store, id) == [round, Self.start + round]) }
      for id in sessions {
        try StoreUnderTest(id, of: store).apply(#"{"op":"insert","key":"n\#(round)"}"#)
      }
      store = try makeStore(snapshotEntries: snapshotEntries)
    }
    let list = try store.changes(of: sessions[0], ChangesQuery(since: Revision(0)))
    #expect(StoreUnderTest.json(list).contains(#""key":"n0""#), "it knows all its history")
  }

  @Test(arguments: [1, 1_000])
  func `each restore of a backup continues above the last`(snapshotEntries: Int) throws {
    let ids = try makeSessions(makeStore(snapshotEntries: snapshotEntries))
    let backup = storage.backUp()
    for restore: UInt64 in 1...3 {
      storage.restore(backup)
      let store = try makeStore(snapshotEntries: snapshotEntries)
      let start = restore * Self.start
      // Some trees are not read in each generation.
      let read = restore == 2 ? [ids[0]] : [ids[0], ids[2]]
      for id in read { #expect(try revisions(store, id) == [start, start]) }
      for id in read {
        try StoreUnderTest(id, of: store).apply(#"{"op":"insert","key":"n"}"#)
        #expect(expired(store, id, since: start - Self.start + 1)?.code == .historyExpired)
      }
    }
    storage.restore(storage.backUp())
    let store = try makeStore(snapshotEntries: snapshotEntries)
    for id in ids { #expect(try revisions(store, id) == [4 * Self.start, 4 * Self.start]) }
    #expect(try store.verify().findings == [])
  }

  @Test func `a request that the backup contains is not applied again`() throws {
    let session = try StoreUnderTest("{}", in: makeStore(snapshotEntries: 1_000))
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array("k".utf8), fingerprint: 1)
    let first = try session.apply(#"{"op":"insert","key":"a"}"#, options: options)
    storage.restore(storage.backUp())
    let restored = StoreUnderTest(session.id, of: try makeStore(snapshotEntries: 1_000))
    let again = try restored.apply(#"{"op":"insert","key":"a"}"#, options: options)
    #expect(again.wasReplayed && again.revision == first.revision)
    #expect(try restored.keys() == ["a"])
    #expect(expired(restored.store, session.id, since: 1)?.code == .historyExpired)
  }
}
