import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

@Suite struct IdleSessionsTests {
  private let clock = ManualClock()

  @Test func `idle sessions are returned by their last use, those used meanwhile last`() throws {
    clock.now = 1_000
    let store = SessionStore(clock: { [clock] in clock.now })
    let id = try store.make("t")
    let ids = try (0..<5).map { _ in
      defer { clock.now += 10 }
      return try StoreUnderTest(#"{"tree":"t"}"#, in: store).id
    }
    func use(_ id: SessionID) throws {
      try store.find(id).withTree(.blocking) { tree throws(ServiceError) in
        _ = try tree.session(id)
      }
    }
    func popIdle(but excluded: SessionID? = nil) throws -> SessionID? {
      try store.find(id).withTree(.blocking) { tree in
        tree.sessions.popIdle(before: tree.time, of: nil, but: excluded)
      }
    }
    let follower = try store.follow(ids[2], since: nil, BatchOptions()) {}
    clock.now += 10
    #expect(try popIdle() == ids[0])
    clock.now += 10
    try use(ids[1])
    #expect(try popIdle(but: ids[3]) == ids[4])
    // The used session is found when all are sorted again, except in the second of its use.
    let second = try [popIdle(but: ids[0]), popIdle(but: ids[0])]
    #expect(second == [ids[3], ids[4]])
    clock.now += 1
    #expect(try popIdle(but: ids[3]) == ids[0])
    #expect(try [popIdle(but: ids[3]), popIdle(but: ids[3])] == [ids[4], ids[1]])
    follower.cancel()
  }
}
