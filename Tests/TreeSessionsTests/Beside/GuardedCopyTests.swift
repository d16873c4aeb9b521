import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A long change beside calls whose changes cannot be replayed after it.
@Suite struct `A long change beside sessions that come and go` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let shared: SharedStore
  private let session: StoreUnderTest
  private let other: StoreUnderTest

  init() throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<600).map { #"{"key":"n\#($0)","object":{"v":\#($0 % 10)}}"# }
    let body = #"{"nodes":[\#(nodes.joined(separator: ","))]}"#
    let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    shared = SharedStore(store: store, tree: made.description.tree)
    session = try shared.session("")
    other = try shared.session("")
  }

  /// Holds the long change at its next check while the tree is not locked.
  ///
  /// - Parameter isGuarded: True for the second preparation.
  private func hold(isGuarded: Bool) throws {
    let tree = try store.find(shared.tree)
    slot.hold {
      let log = try? tree.tryTree(Attempt(clock: { 0 })) { $0.copying.log?.isGuarded }
      return log == isGuarded
    }
  }

  private func batch(_ operation: String) throws -> Batch {
    try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
  }

  /// Begins to sort all nodes, and returns while that is held.
  private func beginSorting() throws -> AskedCall<BatchAnswer> {
    let sort = try batch(#"{"op":"sort","by":[{"by":"/v"}]}"#)
    try hold(isGuarded: false)
    let call = AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.apply(sort, to: id, BatchOptions())
    }
    slot.waitUntilHeld()
    return call
  }

  private func ask() throws -> AskedCall<SessionID> {
    let body = #"{"tree":"\#(String(decoding: shared.tree.bytes, as: UTF8.self))"}"#
    let new = try NewSession.decode(body: Array(body.utf8))
    return AskedCall(store, clock: { 0 }) { service throws(ServiceError) in
      try service.createSession(new, nil).description.session
    }
  }

  private func ask(closing id: SessionID) -> AskedCall<Bool> {
    AskedCall(store, clock: { 0 }) { service throws(ServiceError) in
      _ = try service.deleteSession(id, nil, nil)
      return true
    }
  }

  private func ask(_ operation: String) throws -> AskedCall<BatchAnswer> {
    let batch = try batch(operation)
    return AskedCall(store, clock: { 0 }) { [id = other.id] service throws(ServiceError) in
      try service.apply(batch, to: id, BatchOptions())
    }
  }

  @Test func `is prepared once more, while they wait and small writes do not`() throws {
    let third = try shared.session("").id
    let sorting = try beginSorting()
    #expect(try ask().isAnswered, "at first nobody waits")
    try hold(isGuarded: true)
    slot.goOn()
    slot.waitUntilHeld()
    let opening = try ask()
    let closing = ask(closing: third)
    let sectioning = try ask(#"{"op":"insertSection","section":"s"}"#)
    #expect(!opening.isAnswered && !closing.isAnswered && !sectioning.isAnswered)
    let writing = try ask(#"{"op":"update","key":"n3","object":{"v":3,"x":1}}"#)
    #expect(writing.isAnswered)
    slot.goOn()
    #expect(try sorting.get().revision.number > 0)
    _ = try (opening.get(), closing.get(), sectioning.get())
    let tree = try store.find(shared.tree)
    #expect(tree.executor.meter.rebases == 1)
    try tree.withTree(.blocking) { $0.content.tree.checkInvariants() }
    #expect(try session.keys() == other.keys() && session.keys().first == "n0")
  }
}
