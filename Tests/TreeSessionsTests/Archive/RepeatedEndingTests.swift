import Testing
import TreeDomain
import TreeSessions
import TreeStorage

/// A deletion with an idempotency key is applied once.
///
/// A retry does not delete what was made under the same name since.
struct RepeatedEndingTests {
  private static func key(_ token: String, fingerprint: UInt64 = 1) -> IdempotencyKey {
    IdempotencyKey(token: Array(token.utf8), fingerprint: fingerprint)
  }

  @Test func `a tree is deleted once, before and after a restart`() throws {
    let bench = try ArchiveBench()
    let ended = try bench.store.deleteTree(bench.tree, nil, Self.key("k"))
    #expect(!ended.wasReplayed && !ended.durability.isResolved)
    bench.finishCommits()
    #expect(ended.durability.loss == nil && ended.durability.isResolved)
    _ = try bench.store.make("t")
    bench.finishCommits()
    let again = try SessionStore(storage: bench.storage) { [clock = bench.clock] in clock.now }
    for store in [bench.store, again] {
      #expect(try store.deleteTree(bench.tree, nil, Self.key("k")).wasReplayed)
      #expect(try store.nonblocking.deleteTree(bench.tree, nil, Self.key("k")).wasReplayed)
      #expect(store.trees(after: nil, limit: 9).trees.map(\.tree) == [bench.tree])
      let other = refusal { () throws(ServiceError) in
        _ = try store.deleteTree(bench.tree, nil, Self.key("k", fingerprint: 2))
      }
      #expect(other?.code == .idempotencyKeyReused)
    }
    #expect(try !bench.store.deleteTree(bench.tree, nil, Self.key("l")).wasReplayed)
  }

  @Test func `a refusal because the tree does not exist is remembered`() throws {
    let bench = try ArchiveBench()
    let id = try #require(TreeID(validating: "u".utf8))
    for isRetry in [false, true] {
      let refused = refusal { () throws(ServiceError) in
        _ = try bench.store.deleteTree(id, nil, Self.key("k"))
      }
      #expect(refused?.code == .treeNotFound && refused?.wasReplayed == isRetry)
      if !isRetry { try bench.store.make("u") }
      bench.finishCommits()
    }
    #expect(try !bench.store.deleteTree(id, nil, Self.key("l")).wasReplayed)
  }

  @Test func `a session is deleted once, before and after a restart`() throws {
    let bench = try ArchiveBench()
    for body in [#"{"tree":"t"}"#, "{}"] {
      let session = try StoreUnderTest(body, in: bench.store)
      bench.finishCommits()
      let key = Self.key("k" + body)
      #expect(try !bench.store.deleteSession(session.id, nil, key).wasReplayed)
      bench.finishCommits()
      for isRestarted in [false, true] {
        let store =
          isRestarted
          ? try SessionStore(storage: bench.storage) { [clock = bench.clock] in clock.now }
          : bench.store
        #expect(try store.deleteSession(session.id, nil, key).wasReplayed)
        // No session gets the same id again, so nothing has to be remembered.
        let refused = refusal { () throws(ServiceError) in
          _ = try store.deleteSession(session.id, nil, Self.key("other"))
        }
        #expect(refused?.code == .sessionNotFound && refused?.wasReplayed == false)
        bench.finishCommits()
      }
    }
  }

  @Test func `a deletion that was lost has no effect, and a retry applies it`() throws {
    let bench = try ArchiveBench()
    bench.storage.fail(.full("no room"))
    let lost = try bench.store.deleteTree(bench.tree, nil, Self.key("k"))
    bench.finishCommits()
    #expect(lost.durability.loss?.code == .storageFull)
    bench.recover()
    #expect(try !bench.store.deleteTree(bench.tree, nil, Self.key("k")).wasReplayed)
    bench.finishCommits()
    #expect(bench.store.trees(after: nil, limit: 9).trees.isEmpty)
  }

  @Test func `a refusal because of the revision is not remembered`() throws {
    let bench = try ArchiveBench()
    let stale = RevisionCondition(required: .oneOf([Revision(7)]))
    let refused = refusal { () throws(ServiceError) in
      _ = try bench.store.deleteTree(bench.tree, stale, Self.key("k"))
    }
    #expect(refused?.code == .revisionMismatch)
    #expect(try !bench.store.deleteTree(bench.tree, nil, Self.key("k")).wasReplayed)
  }
}
