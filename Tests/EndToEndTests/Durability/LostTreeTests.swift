import HTTP
import Synchronization
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions
import TreeStorage

/// A tree whose last change failed to be stored, so that it must be loaded again.
struct LostTreeTests {
  @Test func `an import loads a tree whose last change was not stored`() throws {
    let storage = MemoryStorage()
    let now = Mutex(1_000)
    let store = try SessionStore(storage: storage, clock: { now.withLock { $0 } })
    let api = TreeAPI(service: store)
    let access = RouterAccess(api: api)
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
    storage.fail(.failed("bad sector"))
    let batch = #"{"operations":[{"op":"insert","key":"a"}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees/t/batch", batch)).status == 503)
    storage.fail(nil)
    now.withLock { $0 += 2 }
    // This request has the storage probed, and does not touch the tree.
    _ = try access.send(Ask(.get, "/readyz"))
    var fields = Fields()
    fields.append(.contentType, "application/x-ndjson")
    let target = "/v1/trees/t/import"
    let request = try Request(method: .post, target: target, fields: fields, body: [])
    let receiver = try #require(api.receiver(for: request))
    #expect(receiver.begin() == nil)
    #expect(receiver.receive(Array(#"{"key":"b"}"#.utf8)[...]) == nil)
    guard case .response(let response) = receiver.finish() else {
      Issue.record("the import was deferred")
      return
    }
    #expect(response.status == .ok)
    #expect(try access.send(Ask(.get, "/v1/trees/t/nodes/b")).status == 200)
    #expect(try access.send(Ask(.get, "/v1/trees/t/nodes/a")).status == 404)
  }
}
