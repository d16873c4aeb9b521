import Synchronization
import Testing
import TreeDomain
import TreeEngine
import TreeSessions

struct FollowingTests {
  @Test func `a follower gets an event for each revision, and missed revisions as one`() throws {
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a"}]}"#)
    try session.apply(#"{"op":"insert","key":"b"}"#)
    try session.apply(#"{"op":"insert","key":"c"}"#)
    let wakes = Atomic<Int>(0)
    let follower = try session.store.follow(session.id, since: Revision(0), BatchOptions()) {
      wakes.add(1, ordering: .relaxed)
    }
    #expect(follower.next()?.revisions == [0, 2])
    #expect(follower.next() == nil)
    try session.apply(#"{"op":"insert","key":"d"}"#)
    try session.apply(#"{"op":"remove","key":"a"}"#)
    #expect(wakes.load(ordering: .relaxed) == 2)
    #expect(follower.next()?.revisions == [2, 3])
    #expect(follower.next()?.revisions == [3, 4])
    #expect(follower.next() == nil)
    follower.cancel()
    try session.apply(#"{"op":"insert","key":"e"}"#)
    #expect(wakes.load(ordering: .relaxed) == 2)
  }

  @Test func `an event has the revision of the tree after the change`() throws {
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a","children":[{"key":"b"}]}]}"#)
    let follower = try session.store.follow(session.id, since: nil, BatchOptions()) {}
    for (operation, revision) in [
      (#"{"op":"insert","key":"c"}"#, 1), (#"{"op":"collapse","key":"a"}"#, 1),
      (#"{"op":"remove","key":"b"}"#, 2),
    ] {
      try session.apply(operation)
      guard case .changes(let changes) = follower.next() else {
        Issue.record("\(operation) made no event")
        continue
      }
      #expect(changes.treeRevision == Revision(UInt64(revision)), "\(operation)")
    }
  }

  @Test func `a follower that does not read fills only its queue, and catches up`() throws {
    var limits = SessionLimits()
    limits.maxQueuedEvents = 3
    let session = try StoreUnderTest("{}", limits: limits)
    let follower = try session.store.follow(session.id, since: nil, BatchOptions()) {}
    for key in 0..<10 { try session.apply(#"{"op":"insert","key":"\#(key)"}"#) }
    #expect(follower.next()?.revisions == [0, 10])
    #expect(follower.next() == nil)
    try session.apply(#"{"op":"insert","key":"x"}"#)
    #expect(follower.next()?.revisions == [10, 11])
  }

  @Test func `followers that do not read share a limit, and catch up`()
    throws
  {
    // An event of one insertion takes about 340 bytes, and less than 100 in the queue.
    var limits = SessionLimits()
    limits.maxQueuedEventBytesInAll = 4_500
    let session = try StoreUnderTest("{}", limits: limits)
    let lazy = try [ChangeFormat.rows, .ranges].map { format in
      try session.store.follow(session.id, since: nil, BatchOptions(format: format)) {}
    }
    for key in 0..<8 { try session.apply(#"{"op":"insert","key":"\#(key)"}"#) }
    // The limit dropped one of the two queues; the other has all events.
    let first = lazy.map { $0.next()?.revisions }
    #expect(first.contains([0, 8]) && first.contains([0, 1]))
    for follower in lazy { while follower.next() != nil {} }
    // A follower that has read everything, or was cancelled, takes no room.
    for key in 8..<13 { try session.apply(#"{"op":"insert","key":"\#(key)"}"#) }
    lazy[0].cancel()
    for key in 13..<18 { try session.apply(#"{"op":"insert","key":"\#(key)"}"#) }
    var revisions: [[UInt64]] = []
    while let next = lazy[1].next()?.revisions { revisions.append(next) }
    #expect(revisions == (8..<18).map { [$0, $0 + 1] })
  }

  @Test func `followers with equal options share the memory of an event`() throws {
    let memory = MemoryAccount(limit: 1 << 30)
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a"}]}"#, in: SessionStore(memory: memory))
    var options = BatchOptions()
    options.includedRows = 1
    let followers = try (0..<10).map { _ in
      try session.store.follow(session.id, since: nil, options) {}
    }
    let before = memory.bytes[.events]
    let text = String(repeating: "x", count: 100_000)
    try session.apply(#"{"op":"update","key":"a","object":"\#(text)"}"#)
    var events: Int { memory.bytes[.events] - before }
    #expect(100_000...150_000 ~= events)
    // A reader has a text of its own, until it asks for the next event.
    for follower in followers { #expect(follower.next()?.revisions == [0, 1]) }
    #expect(1_000_000...1_500_000 ~= events)
    for follower in followers { #expect(follower.next() == nil) }
    #expect(events == 0)
    for follower in followers { follower.cancel() }
    #expect(memory.bytes[.events] == 0)
  }

  @Test func `a reader that finds no room for the text of an event gets missed changes`() throws {
    var limits = SessionLimits()
    limits.maxQueuedEventBytesInAll = 2_000
    let session = try StoreUnderTest("{}", limits: limits)
    let followers = try (0..<4).map { _ in
      try session.store.follow(session.id, since: nil, BatchOptions()) {}
    }
    // An event of about 840 bytes.
    let key = String(repeating: "k", count: 500)
    try session.apply(#"{"op":"insert","key":"\#(key)"}"#)
    var resets = 0
    for follower in followers {
      switch follower.next() ?? follower.next() {
      case .changes(let changes): #expect(changes.revision == Revision(1))
      case .reset: resets += 1
      default: Issue.record("a reader gets nothing")
      }
    }
    #expect(1...3 ~= resets)
  }

  @Test func `an event takes room until the next read, and so do missed changes`()
    throws
  {
    var limits = SessionLimits()
    limits.maxQueuedEventBytesInAll = 1_000
    let session = try StoreUnderTest("{}", limits: limits)
    func follow(_ since: UInt64?) throws -> any Following {
      try session.store.follow(session.id, since: since.map { Revision($0) }, BatchOptions()) {}
    }
    let first = try follow(nil)
    // An event of about 840 bytes.
    let key = String(repeating: "k", count: 500)
    try session.apply(#"{"op":"insert","key":"\#(key)"}"#)
    #expect(first.next()?.revisions == [0, 1])
    let second = try follow(0)
    #expect(second.next() == .reset(session: session.id, revision: Revision(1), rowCount: 1))
    #expect(first.next() == nil)
    let third = try follow(0)
    #expect(third.next()?.revisions == [0, 1])
    let fourth = try follow(0)
    #expect(fourth.next() == .reset(session: session.id, revision: Revision(1), rowCount: 1))
    third.cancel()
    #expect(try follow(0).next()?.revisions == [0, 1])
  }

  @Test func `a follower whose history is forgotten has to read everything again`() throws {
    var limits = SessionLimits()
    limits.maxQueuedEvents = 1
    limits.history.commits = 2
    let session = try StoreUnderTest("{}", limits: limits)
    let follower = try session.store.follow(session.id, since: nil, BatchOptions()) {}
    for key in 0..<100 { try session.apply(#"{"op":"insert","key":"\#(key)"}"#) }
    #expect(
      follower.next() == .reset(session: session.id, revision: Revision(100), rowCount: 100)
    )
    let expired = refusal { () throws(ServiceError) in
      _ = try session.store.changes(of: session.id, ChangesQuery(since: Revision(3)))
    }
    #expect(expired?.code == .historyExpired && expired?.revision == Revision(100))
    #expect(expired?.rowCount == 100)
    #expect(session.store.statistics.followerResets == 1)
    let late = try session.store.follow(session.id, since: Revision(3), BatchOptions()) {}
    #expect(late.next()?.revisions == nil)
    #expect(session.store.statistics.followerResets == 2)
  }

  @Test(arguments: [2, 99, .max] as [UInt64])
  func `a revision above the current one has no history`(since: UInt64) throws {
    let session = try StoreUnderTest("{}")
    try session.apply(#"{"op":"insert","key":"a"}"#)
    let expired = refusal { () throws(ServiceError) in
      _ = try session.store.changes(of: session.id, ChangesQuery(since: Revision(since)))
    }
    #expect(expired?.code == .historyExpired && expired?.revision == Revision(1))
    #expect(expired?.rowCount == 1)
    let follower = try session.store.follow(session.id, since: Revision(since), BatchOptions()) {}
    #expect(follower.next() == .reset(session: session.id, revision: Revision(1), rowCount: 1))
    try session.apply(#"{"op":"insert","key":"b"}"#)
    #expect(follower.next()?.revisions == [1, 2])
    follower.cancel()
  }

  @Test func `a stream ends with its session`() throws {
    let session = try StoreUnderTest("{}")
    let follower = try session.store.follow(session.id, since: nil, BatchOptions()) {}
    try session.store.deleteSession(session.id)
    #expect(follower.next()?.end == .sessionNotFound)
    follower.cancel()
  }

  @Test(
    arguments: [\.maxFollowers, \.maxFollowersPerSession]
      as [any WritableKeyPath<SessionLimits, Int> & Sendable]
  )
  func `followers are limited, and one that is cancelled makes room`(
    limit: any WritableKeyPath<SessionLimits, Int> & Sendable
  ) throws {
    var limits = SessionLimits()
    limits[keyPath: limit] = 1
    let session = try StoreUnderTest("{}", limits: limits)
    let first = try session.store.follow(session.id, since: nil, BatchOptions()) {}
    let second = refusal { () throws(ServiceError) in
      _ = try session.store.follow(session.id, since: nil, BatchOptions()) {}
    }
    #expect(second?.code == .overloaded && second?.limit == 1)
    first.cancel()
    try session.store.follow(session.id, since: nil, BatchOptions()) {}.cancel()
  }
}

extension FollowEvent {
  /// The reason of an end; nil for any other event.
  var end: ServiceErrorCode? {
    guard case .ended(let reason) = self else { return nil }
    return reason.code
  }

  fileprivate var revisions: [UInt64]? {
    guard case .changes(let answer) = self else { return nil }
    return [answer.previousRevision.number, answer.revision.number]
  }
}
