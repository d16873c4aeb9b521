import HTTP
import Synchronization
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Idle sessions take disk, not memory.
struct IdleTests {
  private static let sessions = 100

  @Test func `idle trees are unloaded and return with their sessions`() throws {
    let storage = GatedStorage()
    let now = Mutex(1_000)
    var limits = SessionLimits()
    limits.idleTreeSeconds = 10
    let store = try SessionStore(
      limits: limits,
      storage: storage,
      clock: { now.withLock { $0 } }
    )
    let access = RouterAccess(api: TreeAPI(service: store))
    let sessions = try (0..<Self.sessions).map { number in
      let session = try RemoteSession(access, Sample.options)
      try session.apply(#"[{"op":"insert","key":"\#(number)"},{"op":"select","key":"nut"}]"#)
      return session
    }
    let states = try sessions.map { try $0.state() }
    for round in 1...2 {
      #expect(storage.sessionReads == Self.sessions * (round - 1), "the sessions are in memory")
      now.withLock { $0 += limits.idleTreeSeconds + 1 }
      store.runMaintenance()
      for (session, state) in zip(sessions, states) { #expect(try session.state() == state) }
      #expect(storage.sessionReads == Self.sessions * round, "the sessions were loaded")
    }
    for session in sessions {
      let changes = try session.read("/changes?since=0")["changes"]?.elements
      #expect(changes?.count == 1, "a selection in a collapsed folder changes no row")
    }
  }
}
