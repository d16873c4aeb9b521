import Synchronization
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Last uses and idle timeouts of sessions are not lost when storage fails.
struct KeptUseTests {
  private static func patch(
    _ session: StoreUnderTest,
    seconds: Int,
    _ token: String? = nil
  ) throws -> PatchAnswer {
    let body = #"{"idleTimeoutSeconds":\#(seconds)}"#
    var options = BatchOptions()
    options.idempotency = token.map { IdempotencyKey(token: Array($0.utf8), fingerprint: 1) }
    let patch = try SessionPatch.decode(body: Array(body.utf8))
    return try session.store.patchSession(session.id, patch, options)
  }

  private static func runMaintenance(_ bench: ArchiveBench, after seconds: Int) {
    bench.clock.now += seconds
    bench.store.runMaintenance()
    bench.finishCommits()
  }

  @Test(arguments: [#"{"tree":"t"}"#, "{}"])
  func `a replayed or lost change of a timeout has no effect`(body: String) throws {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(body, in: bench.store)
    _ = try Self.patch(session, seconds: 5, "a")
    bench.finishCommits()
    _ = try Self.patch(session, seconds: 3_600, "b")
    bench.finishCommits()
    #expect(try Self.patch(session, seconds: 5, "a").wasReplayed)
    bench.storage.fail(.failed("for a moment"))
    let lost = try Self.patch(session, seconds: 5)
    bench.finishCommits()
    #expect(lost.durability.loss != nil)
    bench.recover()
    for _ in 0..<20 { Self.runMaintenance(bench, after: 5) }
    #expect(try session.keys() == (body == "{}" ? [] : ["a"]))
    #expect(bench.storage.session(session.id)?.idleTimeoutSeconds == 3_600)
    _ = try Self.patch(session, seconds: 5)
    bench.finishCommits()
    for _ in 0..<20 { Self.runMaintenance(bench, after: 5) }
    #expect(refusal { () throws(ServiceError) in try _ = session.rows() }?.code == .sessionExpired)
  }

  @Test func `uses that could not be stored are stored later without further requests`()
    throws
  {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(#"{"tree":"t","idleTimeoutSeconds":300}"#, in: bench.store)
    bench.finishCommits()
    bench.clock.now += 100
    _ = try session.rows()
    let use = bench.clock.now
    bench.storage.fail(.full("no room"))
    Self.runMaintenance(bench, after: 1)
    #expect(bench.storage.session(session.id)?.lastUse == 1_000)
    bench.storage.fail(nil)
    for _ in 0..<2 { Self.runMaintenance(bench, after: 5) }
    #expect(bench.storage.session(session.id)?.lastUse == use)
  }

  @Test func `a session that left memory does not end because its use could not be stored`() throws
  {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(#"{"tree":"t","idleTimeoutSeconds":700}"#, in: bench.store)
    bench.finishCommits()
    bench.clock.now = 1_200
    _ = try session.rows()
    bench.storage.fail(.failed("for long"))
    Self.runMaintenance(bench, after: 500)
    #expect(bench.store.core.table.withLock { $0.sessions.isEmpty })
    // Storage has 1 000 as the time of the last use.
    Self.runMaintenance(bench, after: 100)
    bench.storage.fail(nil)
    for _ in 0..<2 { Self.runMaintenance(bench, after: 5) }
    #expect(bench.storage.session(session.id)?.lastUse == 1_200)
    #expect(try session.keys() == ["a"])
    Self.runMaintenance(bench, after: 5)
    #expect(bench.storage.session(session.id)?.lastUse == 1_810)
  }

  @Test func `stop stores uses if storage works again`() throws {
    let bench = try ArchiveBench()
    let session = try StoreUnderTest(#"{"tree":"t","idleTimeoutSeconds":300}"#, in: bench.store)
    bench.finishCommits()
    bench.clock.now += 100
    _ = try session.rows()
    bench.storage.fail(.failed("for a moment"))
    Self.runMaintenance(bench, after: 1)
    bench.storage.fail(nil)
    bench.store.stop()
    bench.finishCommits()
    #expect(bench.storage.session(session.id)?.lastUse == 1_100)
  }

  @Test func `sessions that cannot be ended do not keep others from expiring`() throws {
    let bench = try ArchiveBench()
    var random = SystemRandomNumberGenerator()
    let stuck = (0..<2_500).map { _ in
      StoredSession(
        id: SessionID(using: &random),
        tree: TreeNumber(99),
        isPrivate: false,
        idleTimeoutSeconds: 1,
        lastUse: 0
      )
    }
    try bench.storage.commit(stuck.map { .makeSession($0) })
    let session = try StoreUnderTest(#"{"idleTimeoutSeconds":10}"#, in: bench.store)
    bench.finishCommits()
    let again = try SessionStore(storage: bench.storage) { [clock = bench.clock] in clock.now }
    bench.clock.now += 100
    for _ in 0..<4 { again.runMaintenance() }
    #expect(bench.storage.session(session.id)?.isExpired == true)
  }

  /// Storage forgets no answer that is kept, in whatever order answers came.
  @Test func `the oldest answer is that of a late or running request`() {
    var table = SessionTable()
    func keep(_ token: UInt8, at time: Int) {
      let key = IdempotencyKey(token: [token], fingerprint: 1)
      table.replays.keep(.success(Created(.end)), of: 1, for: key, at: time, SessionLimits())
    }
    #expect(table.oldestAnswer == nil)
    keep(1, at: 5)
    keep(2, at: 3)
    #expect(table.oldestAnswer == 3)
    table.pendingTokens[[3]] = 2
    #expect(table.oldestAnswer == 2)
  }
}
