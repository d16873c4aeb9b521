import Synchronization
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

struct ExpiryTests {
  @Test func `a session nobody uses ends, is told so for a while, and makes room`() throws {
    var limits = SessionLimits()
    limits.maxSessions = 2
    let clock = ManualClock()
    let store = SessionStore(limits: limits) { clock.now }
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":10}"#, in: store)
    let eternal = try StoreUnderTest(#"{"idleTimeoutSeconds":0}"#, in: store)
    clock.now = 10
    #expect(try session.keys().isEmpty, "use keeps it alive")
    clock.now = 20
    store.endIdleSessions()
    #expect(try session.keys().isEmpty)
    clock.now = 1_000_000
    store.endIdleSessions()
    let expired = refusal { () throws(ServiceError) in _ = try session.keys() }
    #expect(expired?.code == .sessionExpired)
    #expect(try eternal.keys().isEmpty)
    _ = try StoreUnderTest("{}", in: store)
  }

  @Test func `a session that expired is not counted any more, whatever else ends it`() {
    var table = SessionTable(SessionLimits())
    var generator = SystemRandomNumberGenerator()
    let id = SessionID(using: &generator)
    table.sessionCount = 1
    table.expire(id)
    table.remove([id])
    #expect(table.sessionCount == 0)
  }

  @Test func `a session of a tree that is deleted while it is made is counted by nobody`() {
    var table = SessionTable(SessionLimits())
    var random = SystemRandomNumberGenerator()
    let id = SessionID(using: &random)
    table.reservedSessions.insert(id)
    table.remove([id])
    #expect(table.sessionCount == 0)
  }

  @Test func `that a session was used is noted once, and forgotten where nobody is told`() throws {
    let clock = ManualClock()
    let store = SessionStore { clock.now }
    let session = try StoreUnderTest("{}", in: store)
    for _ in 0..<3 {
      clock.now += 1_000
      for _ in 0..<3 { _ = try session.keys() }
      #expect(store.core.table.withLock { $0.touched.count } == 1)
      store.runMaintenance()
      #expect(store.core.table.withLock { $0.touched.isEmpty })
    }
  }

  @Test func `a session is refused when its time is over, swept or not`() throws {
    let clock = ManualClock()
    let store = SessionStore { clock.now }
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":10}"#, in: store)
    clock.now = 11
    for _ in 0..<2 {
      let expired = refusal { () throws(ServiceError) in _ = try session.keys() }
      #expect(expired?.code == .sessionExpired)
    }
  }

  @Test func `whoever follows keeps a session alive`() throws {
    let clock = ManualClock()
    let store = SessionStore { clock.now }
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":10}"#, in: store)
    let follower = try store.follow(session.id, since: nil, BatchOptions()) {}
    clock.now = 100
    store.endIdleSessions()
    #expect(follower.next() == nil)
    follower.cancel()
    clock.now = 105
    #expect(try session.keys().isEmpty)
    clock.now = 116
    store.endIdleSessions()
    let expired = refusal { () throws(ServiceError) in _ = try session.keys() }
    #expect(expired?.code == .sessionExpired)
  }

  /// Storage is told of a use now and then only: what it knows may be so much behind.
  @Test(arguments: [1, 3, 30, 3_000], [false, true])
  func `a crash is no time in which a session lies idle`(timeout: Int, isFollowed: Bool) throws {
    let clock = ManualClock()
    let storage = MemoryStorage()
    func start() throws -> SessionStore {
      try SessionStore(storage: storage, clock: { clock.now })
    }
    clock.now = 1_000
    var store = try start()
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":\#(timeout)}"#, in: store).id
    let follower = isFollowed ? try store.follow(session, since: nil, BatchOptions()) {} : nil
    for second in 0..<4 * timeout {
      clock.now += 1
      if !isFollowed { _ = try store.session(session, expectedRevision: nil) }
      if second % SessionStore.maintenanceSeconds == 0 { store.runMaintenance() }
    }
    store = try start()
    _ = try store.session(session, expectedRevision: nil)
    withExtendedLifetime(follower) {}
    store = try start()
    clock.now += 2 * timeout + 2 * SessionStore.maintenanceSeconds
    let expired = refusal { () throws(ServiceError) in
      _ = try store.session(session, expectedRevision: nil)
    }
    #expect(expired?.code == .sessionExpired)
  }
}
