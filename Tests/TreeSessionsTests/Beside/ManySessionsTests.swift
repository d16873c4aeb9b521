import Testing
import TreeDomain

@testable import TreeSessions

/// A write that many sessions learn of is made in the tree itself, because copying the sessions
/// would take longer.
@Suite struct `A write before many sessions` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let tree: LockedTree
  private let session: StoreUnderTest

  init() throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let new = try NewTree.decode(body: Array(#"{"nodes":[{"key":"a"}]}"#.utf8))
    let shared = SharedStore(
      store: store,
      tree: try store.createTree(new, nil).description.tree
    )
    session = try shared.session("")
    for _ in 0..<200 { _ = try shared.session("") }
    tree = try store.find(shared.tree)
  }

  /// Inserts nodes, and returns true if that is prepared on a copy.
  private func isCopied(inserting count: Int) throws -> Bool {
    slot.hold { [tree] in
      (try? tree.tryTree(Attempt(clock: { 0 })) { $0.copying.log != nil }) == true
    }
    let nodes = (0..<count).map { #"{"op":"insert","key":"n\#(count)/\#($0)"}"# }
    let body = #"{"operations":[\#(nodes.joined(separator: ","))]}"#
    let batch = try Batch.decode(body: Array(body.utf8))
    let call = AskedCall(store, clock: { 0 }) { [id = session.id] service throws(ServiceError) in
      try service.apply(batch, to: id, BatchOptions())
    }
    let isHeld = slot.waitUntilHeld(orUntil: { call.isAnswered })
    if isHeld { slot.goOn() }
    #expect(try call.get().nodeCount > count)
    return isHeld
  }

  @Test func `is copied only if it is large for each of them`() throws {
    #expect(try !isCopied(inserting: 1))
    #expect(try !isCopied(inserting: 3))
    #expect(try isCopied(inserting: 600))
    let (isSmaller, isLarger) = try tree.withTree(.blocking) { manager in
      let smaller = manager.isWorthCopy(WorkSize(nodes: 4 * 201))
      let larger = manager.isWorthCopy(WorkSize(nodes: 4 * 201 + 1))
      return (smaller, larger)
    }
    #expect(!isSmaller && isLarger)
  }
}
