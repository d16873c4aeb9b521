import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

struct SecretTests {
  /// Decodes a new session and adds a secret to it.
  private func new(
    _ members: String = "",
    seed: UInt8
  ) throws -> (session: NewSession, secret: SessionSecret) {
    var new = try NewSession.decode(body: Array("{\(members)}".utf8))
    let bytes = [UInt8](repeating: seed, count: SessionSecret.byteCount)
    let secret = try #require(SessionSecret(bytes: bytes))
    new.secret = SealedSecret(digest: SecretDigest(of: secret), salt: bytes.map { $0 &+ 1 })
    return (new, secret)
  }

  @Test func `a secret opens its session until the session ends`() throws {
    let clock = ManualClock()
    let store = SessionStore { clock.now }
    let first = try new(seed: 1)
    let second = try new(#""idleTimeoutSeconds":10"#, seed: 2)
    let ids = try [first, second].map {
      try store.createSession($0.session, nil).description.session
    }
    _ = try store.createSession(NewSession(), nil)
    clock.now = 10
    #expect(try store.nonblocking.session(openedBy: first.secret, at: nil) == ids[0])
    #expect(try store.nonblocking.session(openedBy: second.secret, at: nil) == ids[1])
    #expect(try store.session(openedBy: new(seed: 3).secret) == nil)
    clock.now = 11
    // A lookup by the secret is no use of the session.
    #expect(try store.session(openedBy: second.secret) == nil)
    SessionExpiry(core: store.core).endIdle()
    #expect(try store.session(openedBy: second.secret) == nil)
    try store.deleteSession(ids[0])
    #expect(try store.session(openedBy: first.secret) == nil)
  }

  @Test func `the access of a session is known during its life, in memory or not`() throws {
    let storage = MemoryStorage()
    let clock = ManualClock()
    clock.now = 1_000
    let store = try SessionStore(storage: storage, clock: { clock.now })
    let ids = try [#""access":"view","idleTimeoutSeconds":1000"#, ""].enumerated().map {
      try store.createSession(new($1, seed: UInt8($0)).session, nil).description.session
    }
    #expect(try ids.map { try store.nonblocking.access(of: $0) } == [.view, .write])
    let other = try SessionStore(storage: storage, clock: { clock.now })
    let busy = other.trial { service throws(ServiceError) in
      _ = try service.access(of: ids[0])
    }
    #expect(busy?.next != nil)
    #expect(try ids.map { try other.access(of: $0) } == [.view, .write])
    #expect(try other.session(ids[0], expectedRevision: nil).options.access == .view)
    #expect(try other.nonblocking.access(of: ids[0]) == .view, "now it is in memory")
    var generator = SeededGenerator(seed: 7)
    #expect(try other.access(of: SessionID(using: &generator)) == nil)
    clock.now += 1_001
    #expect(try [store, other].map { try $0.access(of: ids[0]) } == [nil, nil])
    SessionExpiry(core: store.core).endIdle()
    #expect(try store.access(of: ids[0]) == nil)
    try other.deleteSession(ids[1])
    #expect(try other.access(of: ids[1]) == nil)
  }

  @Test func `a secret is returned by the creation and its retries only`() throws {
    let storage = MemoryStorage()
    let (new, _) = try new(seed: 4)
    let key = IdempotencyKey(token: [1], fingerprint: 2)
    for isReplayed in [false, true, true] {
      // The first two creations share a store; each later pair has a restarted one.
      let store = try SessionStore(storage: storage, clock: { 5 })
      for _ in 0..<2 {
        var other = new
        if isReplayed { other.secret = try self.new(seed: 5).session.secret }
        let made = try store.createSession(other, key)
        #expect(made.description.secret == new.secret)
        let id = made.description.session
        #expect(try store.session(id, expectedRevision: nil).secret == nil)
        let patched = try store.patchSession(id, SessionPatch(), BatchOptions())
        #expect(patched.description.secret == nil)
      }
    }
  }

  @Test func `a session that is not in memory is looked up only by callers that may wait`() throws {
    let storage = MemoryStorage()
    let clock = ManualClock()
    clock.now = 1_000
    let (new, secret) = try new(#""idleTimeoutSeconds":1000"#, seed: 6)
    let first = try SessionStore(storage: storage, clock: { clock.now })
    let id = try first.createSession(new, nil).description.session
    let store = try SessionStore(storage: storage, clock: { clock.now })
    let busy = store.trial { service throws(ServiceError) in
      _ = try service.session(openedBy: secret, at: nil)
    }
    #expect(busy?.next != nil)
    #expect(try store.session(openedBy: secret) == id)
    _ = try store.session(id, expectedRevision: nil)
    #expect(try store.nonblocking.session(openedBy: secret, at: nil) == id, "now it is in memory")
    // The session leaves memory with its tree.
    clock.now += 900
    store.runMaintenance()
    #expect(try store.session(openedBy: secret) == id)
    clock.now += 5_000
    #expect(try store.session(openedBy: secret) == nil, "its time is over")
  }
}
