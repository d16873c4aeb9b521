import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// A newer request that sets the filter, order or expansion supersedes an older one.
@Suite struct `Superseded requests` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let session: StoreUnderTest

  init() throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<3_000).map { #"{"key":"n\#($0)","object":{"v":\#($0)}}"# }
    session = try StoreUnderTest(#"{"nodes":[\#(nodes.joined(separator: ","))]}"#, in: store)
  }

  private func patch(
    _ body: String,
    _ options: BatchOptions = BatchOptions()
  ) throws -> AskedCall<PatchAnswer> {
    var decoded = try SessionPatch.decode(body: Array(body.utf8))
    decoded.claim = PatchClaim()
    return AskedCall(store) { [id = session.id, patch = decoded] service throws(ServiceError) in
      try service.patchSession(id, patch, options)
    }
  }

  private static func filter(_ value: Int) -> String {
    #"{"filter":{"by":"/v","equals":\#(value)}}"#
  }

  @Test func `a running request stops, and changes nothing`() throws {
    slot.hold()
    let older = try patch(Self.filter(1))
    slot.waitUntilHeld()
    let newer = try patch(Self.filter(2))
    slot.goOn()
    let refusal = refusal { () throws(ServiceError) in _ = try older.get() }
    #expect(refusal?.code == .superseded)
    let answer = try newer.get()
    #expect(answer.list.previousRevision == Revision(0) && answer.list.revision == Revision(1))
    #expect(try session.keys() == ["n2"])
  }

  @Test func `a waiting request is refused when it would run`() throws {
    slot.hold()
    let running = try patch(#"{"order":"breadthFirst"}"#)
    slot.waitUntilHeld()
    let older = try patch(Self.filter(1))
    let newer = try patch(Self.filter(2))
    slot.goOn()
    // This request sets something else.
    #expect(try running.get().list.revision == Revision(1))
    let refusal = refusal { () throws(ServiceError) in _ = try older.get() }
    #expect(refusal?.code == .superseded)
    #expect(try newer.get().list.revision == Revision(2))
    #expect(try session.keys() == ["n2"])
  }

  @Test func `a request that sets more than the newer one is not superseded`() throws {
    slot.hold()
    let older = try patch(#"{"filter":{"by":"/v","below":9},"order":"breadthFirst"}"#)
    slot.waitUntilHeld()
    let newer = try patch(Self.filter(2))
    slot.goOn()
    #expect(try older.get().list.revision == Revision(1))
    #expect(try newer.get().list.revision == Revision(2))
    #expect(try store.session(session.id, expectedRevision: nil).options.order == .breadthFirst)
  }

  @Test func `a dry run supersedes nothing`() throws {
    slot.hold()
    let older = try patch(Self.filter(1))
    slot.waitUntilHeld()
    var options = BatchOptions()
    options.isDryRun = true
    let trial = try patch(Self.filter(2), options)
    slot.goOn()
    #expect(try older.get().list.revision == Revision(1))
    _ = try trial.get()
    #expect(try session.keys() == ["n1"])
  }

  @Test func `a request that sets the same supersedes nothing`() throws {
    slot.hold()
    let older = try patch(Self.filter(1))
    slot.waitUntilHeld()
    let copy = try patch(Self.filter(1))
    slot.goOn()
    #expect(try older.get().list.revision == Revision(1))
    #expect(try copy.get().list.revision == Revision(1))
    #expect(try session.keys() == ["n1"])
  }

  /// A broken connection may deliver the first copy of a request after the answer to the second.
  @Test func `a late copy of an earlier request supersedes nothing`() throws {
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array("first".utf8), fingerprint: 1)
    #expect(try patch(Self.filter(1), options).get().list.revision == Revision(1))
    slot.hold()
    let newer = try patch(Self.filter(2))
    slot.waitUntilHeld()
    let late = try patch(Self.filter(1), options)
    slot.goOn()
    #expect(try newer.get().list.revision == Revision(2))
    let answer = try late.get()
    #expect(answer.wasReplayed && answer.list.revision == Revision(1))
    #expect(try session.keys() == ["n2"])
  }
}
