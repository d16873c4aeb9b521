import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// Change lists name the authors of the changes.
struct ChangeOriginTests {
  private func origin(_ session: StoreUnderTest, since: UInt64) throws -> ChangeOrigin? {
    try session.store.changes(of: session.id, ChangesQuery(since: Revision(since))).origin
  }

  @Test func `answers and streams have the origin of own, other and mixed changes`()
    throws
  {
    let shared = try SharedStore(#"{"tree":"t","nodes":[{"key":"a","children":[{"key":"b"}]}]}"#)
    let (mine, yours) = (try shared.session(""), try shared.session(""))
    let follower = try shared.store.follow(mine.id, since: nil, BatchOptions()) {}
    let net = try shared.store.follow(mine.id, since: nil, composes: true, BatchOptions()) {}
    try mine.apply(#"{"op":"insert","key":"c"}"#)
    try mine.apply(#"{"op":"collapse","key":"a"}"#)
    try yours.apply(#"{"op":"insert","key":"d"}"#)
    try shared.apply(#"{"op":"remove","key":"c"}"#)
    try mine.apply(#"{"op":"expand","key":"a"}"#)
    let expected: [ChangeOrigin] = [.mixed, .mixed, .mixed, .mixed, .own, .own]
    for (since, origin) in expected.enumerated() {
      #expect(try self.origin(mine, since: UInt64(since)) == origin, "since \(since)")
    }
    // The other session has neither collapsed nor expanded.
    let theirs = try (0...3).map { try origin(yours, since: $0) }
    #expect(theirs == [.mixed, .mixed, .other, .own])
    var told: [ChangeOrigin?] = []
    while case .changes(let answer)? = follower.next() { told.append(answer.origin) }
    #expect(told == [.own, .own, .other, .other, .own])
    guard case .changes(let list)? = net.next() else {
      Issue.record("the net list did not come")
      return
    }
    #expect(list.origin == .mixed && list.revision == Revision(5))
    #expect(net.next() == nil)
  }

  @Test func `the answer to a batch has no origin`() throws {
    let session = try StoreUnderTest("{}")
    #expect(try session.apply(#"{"op":"insert","key":"a"}"#).origin == nil)
  }

  /// The oldest commits of all kinds are forgotten together, or not at all.
  @Test func `the origin is right as far back as the history goes`() throws {
    var limits = SessionLimits()
    limits.history.commits = 8
    let store = SessionStore(limits: limits)
    _ = try store.make("t")
    let sessions = try (0..<2).map { _ in try StoreUnderTest(#"{"tree":"t"}"#, in: store) }
    var authors: [Int] = []
    for number in 0..<120 {
      let author = number / 7 % 3 == 0 ? 1 : 0
      try sessions[author].apply(#"{"op":"insert","key":"\#(number)"}"#)
      authors.append(author)
      for (index, session) in sessions.enumerated() {
        for since in max(0, authors.count - 6)..<authors.count {
          let own = authors[since...].count { $0 == index }
          let expected: ChangeOrigin =
            own == 0 ? .other : own == authors.count - since ? .own : .mixed
          #expect(try origin(session, since: UInt64(since)) == expected)
        }
      }
    }
    for session in sessions {
      let kept = try store.find(session.id).withTree(.blocking) { manager in
        manager.sessions[session.id].map { $0.revisions.authored.count }
      }
      #expect(kept.map { $0 <= 3 * 9 } == true)
    }
  }

  @Test(arguments: [false, true])
  func `the origin is the same after a restart, also from a snapshot`(hasSnapshot: Bool) throws {
    let storage = MemoryStorage()
    var limits = SessionLimits()
    if hasSnapshot { limits.snapshotEntries = 4 }
    let store = try SessionStore(limits: limits, storage: storage) { 1_000 }
    _ = try store.make("t", #""nodes":[{"key":"a"}]"#)
    let sessions = try (0..<2).map { _ in try StoreUnderTest(#"{"tree":"t"}"#, in: store) }
    for number in 0..<9 {
      try sessions[number % 4 == 3 ? 1 : 0].apply(#"{"op":"insert","key":"\#(number)"}"#)
      if number % 3 == 2 { try sessions[0].apply(#"{"op":"select","key":"\#(number)"}"#) }
    }
    #expect((storage.snapshot(of: TreeNumber(1)) != nil) == hasSnapshot)
    let anew = try SessionStore(limits: limits, storage: storage) { 1_000 }
    for session in sessions {
      let revision = try session.revision()
      for since in 0...revision {
        let then = try origin(StoreUnderTest(session.id, of: store), since: since)
        #expect(try origin(StoreUnderTest(session.id, of: anew), since: since) == then)
      }
    }
    #expect(try origin(sessions[0], since: 0) == .mixed)
  }
}
