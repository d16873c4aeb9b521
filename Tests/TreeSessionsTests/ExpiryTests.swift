import Testing
import TreeDomain
import TreeSessions

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
}
