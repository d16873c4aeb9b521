import TestSupport
import Testing
import TreeDomain
import TreeSessions

@testable import TreeStorage

/// A commit that finds damage fails only for the requests concerned.
struct DamagedCommitTests {
  @Test func `changes of other trees are still stored`() throws {
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(folder: folder.path)
    let desk = Desk()
    let store = try SessionStore(storage: storage, clock: { 1_000 }, commit: { desk.assign($0) })
    func finishCommits() { while desk.count > 0 { desk.work() } }
    _ = try store.make("t")
    _ = try store.make("u")
    let healthy = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    finishCommits()
    // Deleting a tree writes to this table.
    var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try other.run("DROP TABLE garbage")
    for key in ["a", "b"] {
      let before = try healthy.apply(#"{"op":"insert","key":"\#(key)"}"#)
      let concerned = try store.deleteTree(#require(TreeID(validating: "u".utf8)))
      let after = try healthy.apply(#"{"op":"insert","key":"\#(key)2"}"#)
      finishCommits()
      #expect(before.durability.loss == nil && before.durability.isResolved)
      #expect(concerned.durability.loss?.code == .storageDamaged)
      #expect(after.durability.loss == nil && after.durability.isResolved)
      #expect(store.readiness == .ready)
    }
    #expect(try healthy.keys() == ["a", "a2", "b", "b2"])
  }
}
