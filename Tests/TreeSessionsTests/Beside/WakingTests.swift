import Glibc
import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A sleeping session with a filter or order wakes, and others use the tree meanwhile.
@Suite struct `A session that wakes beside small writes` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let shared: SharedStore
  private static let nodeCount = 3_000
  private static let maxTries = 1_000

  init() throws {
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: Workers(slot).schedule)
    let nodes = (0..<Self.nodeCount / 2).map { number in
      let child = #"{"key":"c\#(number)","object":{"v":\#(number % 10)}}"#
      return #"{"key":"n\#(number)","object":{"v":\#(number % 7)},"children":[\#(child)]}"#
    }
    let body = #"{"nodes":[\#(nodes.joined(separator: ","))]}"#
    let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    shared = SharedStore(store: store, tree: made.description.tree)
  }

  private static let options = [
    #""filter":{"by":"/v","equals":7}"#,
    #""filter":{"by":"/v","above":3},"order":"breadthFirst","selection":"multiple""#,
    #""viewSort":[{"by":"/v","direction":"descending"}]"#,
    #""viewSort":[{"by":"/v"}],"filter":{"by":"/v","above":3},"expansion":"none""#,
    #""order":"breadthFirst""#,
  ]

  /// Writes of other clients, each in a batch of its own.
  private static let writes = [
    #"{"op":"insert","key":"late","parent":"n0","object":{"v":7}}"#,
    #"{"op":"update","key":"c7","object":{"v":0}}"#,
    #"{"op":"update","key":"c20","object":{"v":7}}"#,
    #"{"op":"remove","key":"n17"}"#,
    #"{"op":"move","keys":["n27","n28"],"parent":"n40"}"#,
  ]

  private func write(_ operation: String) throws {
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
    // Small work of others may have the lock of the tree for a moment.
    for _ in 0..<Self.maxTries {
      let refusal = store.trial { service throws(ServiceError) in
        _ = try service.apply(batch, to: shared.tree, BatchOptions())
      }
      if refusal == nil { return }
      usleep(1_000)
    }
    _ = try store.nonblocking.apply(batch, to: shared.tree, BatchOptions())
  }

  private func putToSleep(_ session: StoreUnderTest) throws {
    let asleep = try store.find(shared.tree).withTree(.blocking) { tree in
      tree.putToSleep([session.id], unusedSince: .max)
    }
    #expect(asleep == [session.id])
  }

  /// Reads a row of a sleeping session, and writes to the tree while the session wakes on a copy.
  ///
  /// - Returns: True if a part of the work was done under the lock of the tree.
  private func wake(_ session: StoreUnderTest, beside writes: [String]) throws -> Bool {
    let tree = try store.find(shared.tree)
    // Work under the lock of the tree is not held, as writes would be refused.
    slot.hold { (try? tree.tryTree(Attempt(clock: { 0 })) { _ in true }) == true }
    let call = AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.rows(of: id, RowQuery(.offset(0, limit: 2)))
    }
    slot.waitUntilHeld()
    for operation in writes { try write(operation) }
    let flag = Flag()
    // Work under the lock first publishes a copy for small reads.
    slot.hold {
      if tree.copies.published != nil { flag.raise() }
      return false
    }
    slot.goOn()
    _ = try call.get()
    return flag.isRaised
  }

  @Test(arguments: 0..<5, [false, true])
  func `shows what it showed`(options number: Int, isToggled: Bool) throws {
    let session = try shared.session(Self.options[number])
    if isToggled { try session.apply(#"{"op":"toggle","key":"n8"}"#) }
    let (rows, revision) = (try session.rows(), try session.revision())
    try putToSleep(session)
    let wasLocked = try wake(session, beside: [])
    #expect(!wasLocked)
    #expect(try session.rows() == rows && session.revision() == revision)
    try check()
    // Its change lists are complete.
    try write(Self.writes[2])
    let query = ChangesQuery(since: Revision(revision), options: BatchOptions())
    let list = try store.changes(of: session.id, query)
    #expect(try list.rowCount == session.keys().count && !list.changes.isEmpty)
  }

  @Test(arguments: 0..<4, [false, true])
  func `follows the writes`(options number: Int, isToggled: Bool) throws {
    let session = try shared.session(Self.options[number])
    if isToggled { try session.apply(#"{"op":"toggle","key":"n8"}"#) }
    let revision = try session.revision()
    try putToSleep(session)
    let wasLocked = try wake(session, beside: Self.writes)
    #expect(!wasLocked)
    let fresh = try shared.session(Self.options[number])
    if isToggled { try fresh.apply(#"{"op":"toggle","key":"n8"}"#) }
    #expect(try session.rows() == fresh.rows())
    #expect(try session.revision() == revision + UInt64(Self.writes.count))
    try check()
  }

  @Test func `sleeps on if it is stopped`() throws {
    let session = try shared.session(Self.options[0])
    try putToSleep(session)
    slot.hold()
    let call = AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.rows(of: id, RowQuery(.offset(0, limit: 2)))
    }
    slot.waitUntilHeld()
    call.cancel()
    slot.goOn()
    #expect(throws: ServiceError.self) { try call.get() }
    let isAsleep = try store.find(shared.tree).withTree(.blocking) { tree in
      tree.asleep.sessions[session.id] != nil
    }
    #expect(isAsleep)
    try check()
  }

  /// Checks the engine's tree and the memory that is counted.
  private func check() throws {
    let usage = try store.find(shared.tree).withTree(.blocking) { tree in
      tree.content.tree.checkInvariants()
      return (tree.content.account.counted, tree.held)
    }
    #expect(usage.0.bytes == usage.1.bytes)
  }

  /// A flag that one thread sets and another one reads.
  private final class Flag: Sendable {
    private let value = Atomic(false)

    func raise() { value.store(true, ordering: .relaxed) }

    var isRaised: Bool { value.load(ordering: .relaxed) }
  }
}
