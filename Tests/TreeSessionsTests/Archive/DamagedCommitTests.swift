import TestSupport
import Testing
import TreeDomain
import TreeSessions

@testable import TreeStorage

/// A commit that comes upon damage fails for those whom it concerns.
struct DamagedCommitTests {
  @Test func `what others do goes on being kept`() throws {
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(folder: folder.path)
    let desk = Desk()
    let store = try SessionStore(storage: storage, clock: { 1_000 }, commit: { desk.assign($0) })
    func settle() { while desk.count > 0 { desk.work() } }
    _ = try store.make("t")
    _ = try store.make("u")
    let healthy = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    settle()
    // What is deleted is noted there, to be swept.
    var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try other.run("DROP TABLE garbage")
    for key in ["a", "b"] {
      let before = try healthy.apply(#"{"op":"insert","key":"\#(key)"}"#)
      let concerned = try store.deleteTree(#require(TreeID(validating: "u".utf8)))
      let after = try healthy.apply(#"{"op":"insert","key":"\#(key)2"}"#)
      settle()
      #expect(before.durability.loss == nil && before.durability.isSettled)
      #expect(concerned.durability.loss?.code == .storageDamaged)
      #expect(after.durability.loss == nil && after.durability.isSettled)
      #expect(store.readiness == .ready)
    }
    #expect(try healthy.keys() == ["a", "a2", "b", "b2"])
  }
}
