import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A filter or order that was applied to a copy is set on a tree that others have changed.
@Suite struct `A filter beside small writes` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let shared: SharedStore
  private let session: StoreUnderTest
  private static let nodeCount = 3_000

  /// Makes a tree of nodes with values from 0 to 9.
  init() throws { try self.init(maxChanges: 10_000) }

  private init(maxChanges: Int) throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    limits.maxChanges = maxChanges
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<Self.nodeCount).map { #"{"key":"n\#($0)","object":{"v":\#($0 % 10)}}"# }
    let body = #"{"nodes":[\#(nodes.joined(separator: ","))]}"#
    let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    shared = SharedStore(store: store, tree: made.description.tree)
    session = try shared.session("")
  }

  private static let patches = [
    #"{"filter":{"by":"/v","equals":7}}"#,
    #"{"filter":{"by":"/v","above":3},"order":"breadthFirst"}"#,
    #"{"viewSort":[{"by":"/v","direction":"descending"}]}"#,
    ##"{"viewSort":[{"by":"/v"},{"by":"#key"}],"filter":{"by":"/v","above":3}}"##,
    ##"{"viewSort":[{"by":"#key"}],"filter":{"by":"/v","above":3},"order":"breadthFirst"}"##,
  ]

  /// Writes of other clients, each in a batch of its own.
  private static let writes = [
    #"{"op":"insert","key":"late","parent":"n0","object":{"v":7}}"#,
    #"{"op":"insert","key":"none","object":{"v":0}}"#,
    #"{"op":"update","key":"n7","object":{"v":0}}"#,
    #"{"op":"update","key":"n20","object":{"v":7}}"#,
    #"{"op":"remove","key":"n17"}"#,
    #"{"op":"move","keys":["n27","n28"],"parent":"n40"}"#,
    #"{"op":"move","keys":["n37"],"first":true}"#,
    #"{"op":"setChildren","key":"n50","children":[{"key":"n57"},{"key":"x","object":{"v":7}}]}"#,
  ]

  private func write(_ operation: String) throws {
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
    _ = try store.nonblocking.apply(batch, to: shared.tree, BatchOptions())
  }

  /// Patches the session on a worker.
  ///
  /// Writes to the tree while the patch is prepared on a copy.
  ///
  /// - Returns: The answer, and true if a part of the work was done under the lock of the tree.
  private func patch(
    _ body: String,
    beside writes: [String]
  ) throws -> (answer: PatchAnswer, wasLocked: Bool) {
    let patch = try SessionPatch.decode(body: Array(body.utf8))
    let tree = try store.find(shared.tree)
    slot.hold()
    let call = AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.patchSession(id, patch, BatchOptions())
    }
    slot.waitUntilHeld()
    for operation in writes { try write(operation) }
    // A large write under the lock first publishes a copy for small reads.
    let flag = Flag()
    slot.hold {
      if tree.copies.published != nil { flag.raise() }
      return false
    }
    slot.goOn()
    return (try call.get(), flag.isRaised)
  }

  @Test(arguments: [10_000, 100], 0..<5)
  func `follows their changes without a large write under the lock`(
    maxChanges: Int,
    patch number: Int
  ) throws {
    let test = try Self(maxChanges: maxChanges)
    let body = Self.patches[number]
    let (answer, wasLocked) = try test.patch(body, beside: Self.writes)
    #expect(!wasLocked)
    #expect(answer.description.treeRevision == Revision(UInt64(Self.writes.count)))
    // A new session with the same filter has the same rows.
    let members = String(body.dropFirst().dropLast())
    let fresh = try test.shared.session(members)
    let rows = try test.session.rows()
    #expect(try rows == fresh.rows() && answer.description.rowCount == fresh.keys().count)
    try test.store.find(test.shared.tree).withTree(.blocking) { $0.tree.checkInvariants() }
    // The session follows later changes, and its change lists are complete.
    try test.write(#"{"op":"update","key":"n7","object":{"v":7}}"#)
    try test.write(#"{"op":"remove","key":"n0"}"#)
    #expect(try test.session.rows() == fresh.rows())
    for since in 0...Self.writes.count + 3 {
      let query = ChangesQuery(since: Revision(UInt64(since)), options: BatchOptions())
      let list = try test.store.changes(of: test.session.id, query)
      #expect(try list.rowCount == test.session.keys().count)
    }
  }

  /// A flag that one thread sets and another one reads.
  private final class Flag: Sendable {
    private let value = Atomic(false)

    func raise() { value.store(true, ordering: .relaxed) }

    var isRaised: Bool { value.load(ordering: .relaxed) }
  }
}
