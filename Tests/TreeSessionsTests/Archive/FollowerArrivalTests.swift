import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeSessions
import TreeStorage

/// Streams begin at once, even if the tree of their session must be read first.
struct FollowerArrivalTests {
  private let bench: ArchiveBench

  init() throws { bench = try ArchiveBench() }

  /// Makes another store over the same storage, as after a restart, in which no tree is read.
  private func restart(
    limits: SessionLimits = SessionLimits()
  ) throws -> (store: SessionStore, desk: Desk) {
    bench.finishCommits()
    let desk = Desk()
    let store = try SessionStore(
      limits: limits,
      storage: bench.storage,
      clock: { [clock = bench.clock] in clock.now },
      schedule: desk.schedule
    )
    return (store, desk)
  }

  private func sessions(_ count: Int) throws -> [StoreUnderTest] {
    let sessions = try (0..<count).map { _ in
      try StoreUnderTest(#"{"tree":"t"}"#, in: bench.store)
    }
    bench.finishCommits()
    return sessions
  }

  @Test func `more followers than waiting calls are accepted, and miss nothing`() throws {
    let sessions = try sessions(40)
    try sessions[0].apply(#"{"op":"insert","key":"b"}"#)
    var limits = SessionLimits()
    (limits.maxWaitingCalls, limits.maxWaitingCallsPerTree) = (2, 1)
    let (store, desk) = try restart(limits: limits)
    let wakes = Atomic<Int>(0)
    let followers = try sessions.map { session in
      try store.nonblocking.follow(session.id, since: Revision(0), BatchOptions()) {
        wakes.add(1, ordering: .relaxed)
      }
    }
    #expect(followers.allSatisfy { $0.next() == nil })
    #expect(store.statistics.followers == 40 && store.statistics.loadedTrees == 0)
    // No call takes the place of a waiting call.
    let refused = store.trial { service throws(ServiceError) in
      _ = try service.rows(of: sessions[0].id, RowQuery(.offset(0, limit: 1)))
    }
    #expect(try #require(refused?.next).submit(Job { _ in }))
    desk.work()
    #expect(wakes.load(ordering: .relaxed) >= 40)
    for follower in followers {
      guard case .changes(let answer)? = follower.next() else {
        Issue.record("what was missed did not come")
        return
      }
      #expect(answer.previousRevision == Revision(0) && answer.revision == Revision(1))
    }
  }

  @Test func `a client that reads after its stream has begun gets all later changes`() throws {
    let session = try sessions(1)[0]
    let (store, desk) = try restart()
    let follower = try store.nonblocking.follow(session.id, since: nil, BatchOptions()) {}
    // The session was found, and its tree is not read yet.
    desk.workOnce()
    #expect(desk.count == 1 && store.statistics.loadedTrees == 0)
    // Other calls access the tree before that.
    let now = StoreUnderTest(session.id, of: store)
    #expect(try now.revision() == 0)
    try now.apply(#"{"op":"insert","key":"b"}"#)
    desk.work()
    guard case .changes(let answer)? = follower.next() else {
      Issue.record("the change did not come")
      return
    }
    #expect(answer.previousRevision == Revision(0) && answer.revision == Revision(1))
  }

  @Test func `the stream of a deleted session ends, and further ones are refused at once`()
    throws
  {
    let session = try sessions(1)[0]
    try session.store.deleteSession(session.id)
    let (store, desk) = try restart()
    let follower = try store.nonblocking.follow(session.id, since: nil, BatchOptions()) {}
    #expect(follower.next() == nil)
    desk.work()
    #expect(follower.next()?.end == .sessionNotFound)
    follower.cancel()
    let refused = store.trial { service throws(ServiceError) in
      _ = try service.follow(session.id, since: nil, BatchOptions()) {}
    }
    #expect(refused?.error.code == .sessionNotFound && refused?.next == nil)
    #expect(store.statistics.followers == 0)
  }

  @Test func `a damaged tree ends its streams`() throws {
    let sessions = try sessions(3)
    let (store, desk) = try restart()
    let number = bench.storage.entries(of: TreeNumber(1), after: 0, bytes: .max).count + 1
    let entry = StoredEntry(number: number, revision: 1, nodeCount: 1, body: Array("?".utf8))
    try bench.storage.commit([.append(entry, to: TreeNumber(1))])
    let followers = try sessions.map {
      try store.nonblocking.follow($0.id, since: nil, BatchOptions()) {}
    }
    desk.work()
    for follower in followers {
      #expect(follower.next()?.end == .storageDamaged)
      follower.cancel()
    }
    #expect(store.statistics.followers == 0)
  }

  @Test func `a follower that is cancelled before it arrives leaves nothing behind`() throws {
    let sessions = try sessions(2)
    var limits = SessionLimits()
    limits.maxFollowers = 2
    let (store, desk) = try restart(limits: limits)
    let wakes = Atomic<Int>(0)
    let followers = try sessions.map { session in
      try store.nonblocking.follow(session.id, since: nil, BatchOptions()) {
        wakes.add(1, ordering: .relaxed)
      }
    }
    let refused = store.trial { service throws(ServiceError) in
      _ = try service.follow(sessions[0].id, since: nil, BatchOptions()) {}
    }
    #expect(refused?.error.code == .overloaded && refused?.error.limit == 2)
    for follower in followers { follower.cancel() }
    #expect(store.statistics.followers == 0)
    desk.work()
    #expect(wakes.load(ordering: .relaxed) == 0 && store.statistics.followers == 0)
  }

  @Test func `an end is sent when it is on disk, and not if that fails`() throws {
    let sessions = try sessions(2)
    for (session, fails) in zip(sessions, [true, false]) {
      let follower = try session.store.follow(session.id, since: nil, BatchOptions()) {}
      if fails { bench.storage.fail(.failed("for a moment")) }
      try session.store.deleteSession(session.id)
      #expect(follower.next() == nil)
      bench.finishCommits()
      if fails {
        #expect(follower.next() == .interrupted)
        bench.recover()
      } else {
        #expect(follower.next()?.end == .sessionNotFound)
      }
    }
  }
}
