import JSON
import TestSupport
import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// Changes in a failed commit have no effect, and the service continues with what is stored.
struct LostCommitTests {
  private static let insert = #"{"op":"insert","key":"b"}"#

  private func creation(_ body: String) throws -> NewTree {
    try NewTree.decode(body: Array(body.utf8))
  }

  /// Returns the rows and the state of a session, without its revision.
  private func content(_ store: SessionStore, _ id: SessionID) throws -> [String] {
    var writer = JSONWriter()
    try store.state(of: id, expectedRevision: nil).write(to: &writer)
    let rows = try StoreUnderTest(id, of: store).rows()
    return [rows, String(decoding: writer.finish(), as: UTF8.self)]
  }

  private func key(_ token: String) -> IdempotencyKey {
    IdempotencyKey(token: Array(token.utf8), fingerprint: 1)
  }

  @Test func `the description of a tree has no lost changes`() throws {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    bench.finishCommits()
    let before = try bench.store.tree(bench.tree, expectedRevision: nil)
    bench.storage.fail(.full("no room"))
    try session.apply(Self.insert)
    bench.finishCommits()
    let after = try bench.store.tree(bench.tree, expectedRevision: nil)
    #expect(after.nodeCount == before.nodeCount && after.sections == before.sections)
  }

  @Test func `a retry of a creation waits for that creation only`() throws {
    let bench = try ArchiveBench()
    let first = try bench.store.createTree(creation(#"{"tree":"u"}"#), key("u"))
    #expect(!first.durability.isResolved)
    #expect(try !bench.store.createTree(creation(#"{"tree":"u"}"#), key("u")).durability.isResolved)
    bench.finishCommits()
    let second = try bench.store.createTree(creation(#"{"tree":"v"}"#), key("v"))
    let retry = try bench.store.createTree(creation(#"{"tree":"u"}"#), key("u"))
    #expect(retry.wasReplayed && retry.durability.isResolved)
    #expect(!second.durability.isResolved)
    bench.finishCommits()
  }

  @Test func `a change that storage refuses is lost alone, with later changes of its tree`() throws
  {
    let bench = try ArchiveBench()
    let own = try StoreUnderTest("{}", in: bench.store)
    bench.finishCommits()
    // Added to storage directly, so that the store does not know it.
    let number = bench.storage.nextTreeNumber()
    let hidden = StoredTree(
      number: TreeNumber(number.value + 100),
      id: try #require(TreeID(validating: "u".utf8)),
      isPrivate: false,
      about: []
    )
    try bench.storage.commit([.makeTree(hidden)])
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    let before = try own.apply(Self.insert)
    let refused = try bench.store.createTree(creation(#"{"tree":"u"}"#), key("u"))
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(Self.insert)]}"#.utf8))
    let id = refused.description.tree
    let alsoRefused = try bench.store.apply(batch, to: id, BatchOptions())
    let after = try session.apply(Self.insert)
    bench.finishCommits()
    #expect(before.durability.loss == nil && after.durability.loss == nil)
    #expect(before.durability.isResolved && after.durability.isResolved)
    #expect(refused.durability.loss?.code == .internalError)
    #expect(alsoRefused.durability.loss?.code == .internalError)
    #expect(throws: ServiceError.self) { try bench.store.tree(id, expectedRevision: nil) }
    #expect(try own.keys() == ["b"])
    #expect(try session.keys() == ["a", "b"])
    let more = try session.apply(#"{"op":"insert","key":"c"}"#)
    bench.finishCommits()
    #expect(more.durability.loss == nil && bench.store.statistics.journal?.waitingWorks == 0)
  }

  @Test func `a client cannot choose the id of a private tree`() throws {
    let bench = try ArchiveBench()
    let own = try StoreUnderTest("{}", in: bench.store)
    bench.finishCommits()
    let tree = try bench.store.session(own.id, expectedRevision: nil).tree
    let written = String(decoding: tree.bytes, as: UTF8.self)
    let refused = refusal { () throws(ServiceError) in
      let new = try NewTree.decode(body: Array(#"{"tree":"\#(written)"}"#.utf8))
      _ = try bench.store.createTree(new, nil)
    }
    #expect(refused?.code == .invalidRequest && refused?.pointer == "/tree")
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    try session.apply(Self.insert)
    bench.finishCommits()
    #expect(try session.keys() == ["a", "b"])
  }

  @Test(arguments: [
    (StorageError.full("no room"), ServiceErrorCode.storageFull),
    (.failed("no disk"), .storageFailed),
  ])
  func `changes in a failed commit have no effect`(
    error: StorageError,
    code: ServiceErrorCode
  ) throws {
    let bench = try ArchiveBench()
    let store = bench.store
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let own = try StoreUnderTest(#"{"nodes":[{"key":"x"}]}"#, in: store)
    bench.finishCommits()
    let before = try [content(store, session.id), content(store, own.id)]
    let follower = try store.follow(session.id, since: nil, BatchOptions()) {}

    var options = BatchOptions()
    options.idempotency = key("batch")
    bench.storage.fail(error)
    let applied = try session.apply(Self.insert, options: options)
    let alsoApplied = try own.apply(Self.insert)
    let made = try store.createTree(creation(#"{"tree":"u"}"#), key("tree"))
    let entered = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let deleted = try store.deleteSession(own.id)
    #expect(!applied.durability.isResolved)
    bench.finishCommits()

    for durability in [
      applied.durability, alsoApplied.durability, made.durability, deleted.durability,
    ] { #expect(durability.loss?.code == code) }
    #expect(follower.next() == .interrupted)
    #expect(store.trees(after: nil, limit: 9).trees.map(\.tree) == [bench.tree])
    #expect(refusal { () throws(ServiceError) in _ = try entered.rows() }?.code == .sessionNotFound)
    #expect(try [content(store, session.id), content(store, own.id)] == before)
    // Changes that could not be stored are refused, and reads succeed.
    #expect(refusal { () throws(ServiceError) in try session.apply(Self.insert) }?.code == code)
    #expect(try content(store, session.id) == before[0])

    bench.recover()
    let again = try session.apply(Self.insert, options: options)
    #expect(!again.wasReplayed)
    let remade = try store.createTree(creation(#"{"tree":"u"}"#), key("tree"))
    #expect(!remade.wasReplayed)
    bench.finishCommits()
    #expect(again.durability.loss == nil && again.durability.isResolved)
    let anew = try SessionStore(storage: bench.storage, clock: { 1_000 })
    #expect(try content(anew, session.id) == content(store, session.id))
    #expect(try content(anew, own.id) == before[1])
    #expect(anew.trees(after: nil, limit: 9).trees.count == 2)
  }

  /// A part of a snapshot may be encoded after changes in it were lost.
  @Test func `a snapshot with lost changes is not written`() throws {
    var limits = SessionLimits()
    limits.snapshotEntries = 1
    let bench = try ArchiveBench(limits: limits)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    bench.finishCommits()
    let before = try content(bench.store, session.id)
    try session.apply(Self.insert)
    // The snapshot has begun, and its first part is not encoded yet.
    #expect(bench.works.workOnce())
    #expect(bench.works.count == 1)
    bench.storage.fail(.failed("no disk"))
    bench.commits.work()
    bench.storage.fail(nil)
    bench.clock.now += 2
    _ = refusal { () throws(ServiceError) in try session.apply(Self.insert) }
    bench.commits.work()
    bench.finishCommits()
    for store in [bench.store, try SessionStore(storage: bench.storage, clock: { 1_000 })] {
      #expect(try content(store, session.id) == before)
    }
    try session.apply(#"{"op":"insert","key":"c"}"#)
    bench.finishCommits()
    let anew = try SessionStore(storage: bench.storage, clock: { 1_000 })
    #expect(try content(anew, session.id) == content(bench.store, session.id))
    #expect(try session.keys() == ["a", "c"])
  }
}
