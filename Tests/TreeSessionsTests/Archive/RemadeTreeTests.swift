import TestSupport
import Testing
import TreeDomain
import TreeSessions
import TreeStorage

/// A tree with the id of a deleted one continues above its revisions, even after a restart.
struct RemadeTreeTests {
  private let storage = MemoryStorage()

  private func start(snapshotEntries: Int = 1_000) throws -> SharedStore {
    var limits = SessionLimits()
    limits.snapshotEntries = snapshotEntries
    let store = try SessionStore(limits: limits, storage: storage, clock: { 1_000 })
    return SharedStore(store: store, tree: try #require(TreeID(validating: "x".utf8)))
  }

  @Test(arguments: [1, 1_000])
  func `revisions of a tree continue after deletions and restarts`(snapshotEntries: Int) throws {
    var shared = try start(snapshotEntries: snapshotEntries)
    var revision = UInt64(0)
    for round in 0..<4 {
      try shared.store.make("x", #""nodes":[{"key":"k"}]"#)
      let session = try shared.session("").id
      for number in 0..<3 {
        #expect(try shared.revision() == revision, "round \(round)")
        try shared.apply(#"{"op":"update","key":"k","object":\#(number)}"#)
        try StoreUnderTest(session, of: shared.store).apply(#"{"op":"select","key":"k"}"#)
        revision += 1
        if round % 2 == 0 { shared = try start(snapshotEntries: snapshotEntries) }
      }
      let again = StoreUnderTest(session, of: shared.store)
      #expect(try again.revision() == 4, "a session counts for itself")
      try shared.store.deleteTree(shared.tree)
      revision += 1
      if round > 1 { shared = try start(snapshotEntries: snapshotEntries) }
    }
    let other = SharedStore(store: shared.store, tree: try shared.store.make("y"))
    #expect(try other.revision() == 0, "of another id there was none")
  }
}

extension SharedStore {
  /// Returns the revision of the tree.
  fileprivate func revision() throws(ServiceError) -> UInt64 {
    try store.tree(tree, expectedRevision: nil).revision.number
  }
}
