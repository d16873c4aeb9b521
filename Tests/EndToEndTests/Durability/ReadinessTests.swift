import HTTP
import Synchronization
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions
import TreeStorage

/// Tests of `GET /readyz`, which load balancers ask.
struct ReadinessTests {
  @Test(
    arguments: [
      (.full("no space"), "storage-full", 507), (.failed("bad sector"), "storage-failed", 503),
    ] as [(StorageError, String, Int)]
  )
  func `a service is unready while storage fails`(
    failure: StorageError,
    reason: String,
    status: Int
  ) throws {
    let storage = MemoryStorage()
    let now = Mutex(1_000)
    let store = try SessionStore(storage: storage, clock: { now.withLock { $0 } })
    let access = RouterAccess(api: TreeAPI(service: store))
    let session = try RemoteSession(access, Sample.options)
    try expectReady(access)
    storage.fail(failure)
    #expect(try session.send(Ask(.post, "/expandAll")).status == status)
    try expectUnready(access, reason)
    #expect(try access.send(Ask(.get, "/healthz")).status == 200)
    // The lost revision is not used again.
    #expect(try session.read("")["revision"]?.integer == 1_000)
    storage.fail(nil)
    now.withLock { $0 += 2 }
    // This request has the storage probed again.
    _ = try access.send(Ask(.get, "/readyz"))
    try expectReady(access)
    #expect(try session.send(Ask(.post, "/expandAll")).status == 200)
  }

  @Test(arguments: [true, false])
  func `a service that drains is unready`(isStored: Bool) throws {
    let store =
      isStored ? try SessionStore(storage: MemoryStorage(), clock: { 1_000 }) : SessionStore()
    let access = RouterAccess(api: TreeAPI(service: store))
    try expectReady(access)
    store.drain()
    try expectUnready(access, "shutting-down")
    #expect(try access.send(Ask(.post, "/v1/sessions")).status == 201)
  }

  private func expectReady(_ access: RouterAccess) throws {
    let answer = try access.send(Ask(.get, "/readyz"))
    #expect(answer.status == 200 && answer.text == #"{"status":"ready"}"#)
  }

  private func expectUnready(_ access: RouterAccess, _ reason: String) throws {
    let answer = try access.send(Ask(.get, "/readyz"))
    #expect(answer.status == 503 && answer["Retry-After"] == "1")
    #expect(answer.text == #"{"status":"unready","reason":"\#(reason)"}"#)
  }
}
