import Synchronization
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

struct ExpiryTests {
  @Test func `an idle session expires, is remembered as expired, and frees its place`() throws {
    var limits = SessionLimits()
    limits.maxSessions = 2
    let clock = ManualClock()
    let store = SessionStore(limits: limits) { clock.now }
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":10}"#, in: store)
    let eternal = try StoreUnderTest(#"{"idleTimeoutSeconds":0}"#, in: store)
    clock.now = 10
    #expect(try session.keys().isEmpty, "use keeps it alive")
    clock.now = 20
    SessionExpiry(core: store.core).endIdle()
    #expect(try session.keys().isEmpty)
    clock.now = 1_000_000
    SessionExpiry(core: store.core).endIdle()
    let expired = refusal { () throws(ServiceError) in _ = try session.keys() }
    #expect(expired?.code == .sessionExpired)
    #expect(try eternal.keys().isEmpty)
    _ = try StoreUnderTest("{}", in: store)
  }

  @Test func `an expired session is not counted, whatever else ends it`() {
    var table = SessionTable()
    var generator = SystemRandomNumberGenerator()
    let id = SessionID(using: &generator)
    table.sessionCount = 1
    table.expire(id)
    table.remove([id])
    #expect(table.sessionCount == 0)
  }

  @Test func `a session whose tree is deleted before it is entered is not counted`() {
    var table = SessionTable()
    var random = SystemRandomNumberGenerator()
    let id = SessionID(using: &random)
    table.reservedSessions.insert(id)
    table.remove([id])
    #expect(table.sessionCount == 0)
  }

  @Test func `a used session is listed once, and forgotten if there is no storage`() throws {
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

  @Test func `an expired session is refused before and after it is removed`() throws {
    let clock = ManualClock()
    let store = SessionStore { clock.now }
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":10}"#, in: store)
    clock.now = 11
    for _ in 0..<2 {
      let expired = refusal { () throws(ServiceError) in _ = try session.keys() }
      #expect(expired?.code == .sessionExpired)
    }
  }

  @Test func `a follower keeps a session alive`() throws {
    let clock = ManualClock()
    let store = SessionStore { clock.now }
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":10}"#, in: store)
    let follower = try store.follow(session.id, since: nil, BatchOptions()) {}
    clock.now = 100
    SessionExpiry(core: store.core).endIdle()
    #expect(follower.next() == nil)
    follower.cancel()
    clock.now = 105
    #expect(try session.keys().isEmpty)
    clock.now = 116
    SessionExpiry(core: store.core).endIdle()
    let expired = refusal { () throws(ServiceError) in _ = try session.keys() }
    #expect(expired?.code == .sessionExpired)
  }

  /// Uses are stored only from time to time, so the stored time may be late.
  @Test(arguments: [1, 3, 30, 3_000], [false, true])
  func `a crash does not make a session idle`(timeout: Int, isFollowed: Bool) throws {
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
