import Synchronization
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

  @Test func `pauses for none of them`() throws {
    let control = CountingControl()
    try tree.withTree(.waiting(control)) { manager throws(ServiceError) in
      let batch = try Batch.decode(
        body: Array(#"{"operations":[{"op":"update","key":"a","object":1}]}"#.utf8)
      )
      let author = try manager.session(session.id)
      _ = try manager.apply(batch, by: author, BatchOptions(), at: 0)
    }
    #expect(control.pauses < 10)
  }

  @Test func `reads what is sent only for those with a filter`() throws {
    let body = #"{"operations":[{"op":"update","key":"a","object":"\#(Self.text)"}]}"#
    let batch = try Batch.decode(body: Array(body.utf8))
    func size() throws -> WorkSize {
      try tree.withTree(.blocking) { manager in
        manager.size(of: batch, by: nil, BatchOptions())
      }
    }
    let plain = try size()
    _ = try store.patchSession(
      session.id,
      SessionPatch.decode(body: Array(#"{"filter":{"by":"","contains":"x"}}"#.utf8)),
      BatchOptions()
    )
    let filtered = try size()
    #expect(plain.bytes > 1_000)
    #expect((2...3) ~= filtered.bytes / plain.bytes)
  }

  private static let text = String(repeating: "x", count: 1_000)

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
    let areBytesWorthIt = try tree.withTree(.blocking) { manager in
      [300_000, 600_000].map { manager.isWorthCopy(WorkSize(bytes: $0)) }
    }
    #expect(areBytesWorthIt == [false, true])
  }
}

/// A control that counts pauses.
private final class CountingControl: WorkControl {
  private let count = Atomic(0)
  var pauses: Int { count.load(ordering: .relaxed) }
  func check() {}
  func pause() { count.add(1, ordering: .relaxed) }
}
