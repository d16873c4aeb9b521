import JSON
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// The order of a private tree is prepared on a copy and comes after small changes.
@Suite struct `The order of a private tree beside small changes` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let session: StoreUnderTest

  init() throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<300).map { #"{"key":"n\#($0)","object":{"v":\#($0 % 10),"w":\#($0 % 7)}}"# }
    let sort = #"[{"by":"/w"}]"#
    session = try StoreUnderTest(
      #"{"sort":\#(sort),"nodes":[\#(nodes.joined(separator: ","))]}"#,
      in: store
    )
  }

  private func write(_ operation: String) throws {
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
    _ = try store.nonblocking.apply(batch, to: session.id, BatchOptions())
  }

  /// Returns an answer as JSON, without the ids of the session and of its tree.
  private func text(_ answer: PatchAnswer) -> String {
    var writer = JSONWriter()
    answer.write(to: &writer)
    return String(decoding: writer.finish(), as: UTF8.self)
      .replacing(String(decoding: session.id.bytes, as: UTF8.self), with: "s")
      .replacing(String(decoding: answer.description.tree.bytes, as: UTF8.self), with: "t")
  }

  /// Changes that keep the rows, and changes that the order must start over for.
  static let writes = [
    (#"{"op":"update","key":"n3","object":{"v":3,"w":3,"x":1}}"#, true),
    (#"{"op":"update","key":"n4","object":{"v":4,"w":5}}"#, false),
    (#"{"op":"update","key":"n5","object":{"v":9,"w":5}}"#, false),
    (#"{"op":"insert","key":"new","object":{"v":4,"w":5}}"#, false),
  ]

  @Test(arguments: writes, [false, true])
  func `comes after them`(write: (operation: String, isApart: Bool), isKept: Bool) throws {
    let patch = try SessionPatch.decode(body: Array(#"{"sort":[{"by":"/v"}]}"#.utf8))
    var options = BatchOptions()
    if isKept { options.idempotency = IdempotencyKey(token: [120], fingerprint: 1) }
    let tree = try store.find(session.id)
    slot.hold { (try? tree.tryTree(Attempt(clock: { 0 })) { _ in true }) == true }
    let call = AskedCall(store) { [id = session.id, options] service throws(ServiceError) in
      try service.patchSession(id, patch, options)
    }
    slot.waitUntilHeld()
    try self.write(write.operation)
    slot.goOn()
    let answer = try call.get()
    let twin = try Self()
    try twin.write(write.operation)
    let expected = try twin.store.patchSession(twin.session.id, patch, options)
    #expect(text(answer) == twin.text(expected))
    #expect(try session.rows() == twin.session.rows())
    #expect((tree.executor.meter.rebases == 1) == write.isApart)
    try tree.withTree(.blocking) { $0.content.tree.checkInvariants() }
  }
}
