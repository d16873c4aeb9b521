import Dispatch
import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Work on an event loop neither waits nor takes long.
///
/// Other work continues on an executor.
@Suite struct `Attempts at calls` {
  private static let nodes = #"{"nodes":[{"key":"a","children":[{"key":"b"},{"key":"c"}]}]}"#

  private func limits(_ change: (inout SessionLimits) -> Void) -> SessionLimits {
    var limits = SessionLimits()
    change(&limits)
    return limits
  }

  private func read(_ service: any TreeService, _ id: SessionID) -> Result<Int, ServiceError> {
    Result { () throws(ServiceError) in
      try service.rows(of: id, RowQuery(.offset(0, limit: 10))).rowCount
    }
  }

  @Test func `an attempt is refused by a busy tree, and served by another`() throws {
    let desk = Desk()
    let store = SessionStore(schedule: desk.schedule)
    let busy = try StoreUnderTest(Self.nodes, in: store)
    let free = try StoreUnderTest(Self.nodes, in: store)
    let late = Mutex<Int?>(nil)
    try busy.whileWorkedOn {
      #expect(read(store.nonblocking, free.id) == .success(3))
      let refused = store.trial { service throws(ServiceError) in
        _ = try service.rows(of: busy.id, RowQuery(.offset(0, limit: 10)))
      }
      #expect(refused?.error.code == .overloaded)
      let job = Job { attempt in
        let service = store.answering(attempt)
        let count = try? service.rows(of: busy.id, RowQuery(.offset(0, limit: 10))).rowCount
        late.withLock { $0 = count }
      }
      let next = try #require(refused?.next)
      #expect(next.submit(job))
      #expect(desk.count == 1 && late.withLock { $0 } == nil)
    }
    desk.work()
    #expect(late.withLock { $0 } == 4)
    #expect(read(store.nonblocking, busy.id) == .success(4))
  }

  @Test func `work that is not small is refused to an attempt, and changes nothing`() throws {
    let store = SessionStore(limits: limits { $0.maxSmallNodes = 2 }, schedule: Desk().schedule)
    let session = try StoreUnderTest(Self.nodes, in: store)
    let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"remove","key":"a"}]}"#.utf8))
    let patch = try SessionPatch.decode(
      body: Array(#"{"order":"breadthFirst","accordion":true}"#.utf8)
    )
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array("once".utf8), fingerprint: 1)
    for attempt in 0..<2 {
      let refusals = [
        store.trial { service throws(ServiceError) in
          _ = try service.apply(batch, to: session.id, options)
        },
        store.trial { service throws(ServiceError) in
          _ = try service.patchSession(session.id, patch, BatchOptions())
        },
      ]
      #expect(refusals.allSatisfy { $0?.next != nil }, "attempt \(attempt)")
      #expect(try session.revision() == 0 && session.keys() == ["a", "b", "c"])
    }
    let answer = try store.apply(batch, to: session.id, options)
    #expect(answer.revision == Revision(1) && !answer.wasReplayed)
    // A replay takes no work.
    #expect(try store.nonblocking.apply(batch, to: session.id, options).wasReplayed)
  }

  @Test func `a creation that was refused because the tree was busy is made once`() throws {
    let desk = Desk()
    let store = SessionStore(schedule: desk.schedule)
    let tree = try store.createTree(NewTree.decode(body: Array(Self.nodes.utf8)), nil)
    let path = String(decoding: tree.description.tree.bytes, as: UTF8.self)
    let first = try StoreUnderTest(#"{"tree":"\#(path)"}"#, in: store)
    let new = try NewSession.decode(body: Array(#"{"tree":"\#(path)"}"#.utf8))
    let key = IdempotencyKey(token: Array("once".utf8), fingerprint: 1)
    try first.whileWorkedOn {
      let refused = store.trial { service throws(ServiceError) in
        _ = try service.createSession(new, key)
      }
      #expect(refused?.next != nil)
    }
    let made = try store.createSession(new, key)
    #expect(!made.wasReplayed && made.description.nodeCount == 4)
    #expect(try store.nonblocking.createSession(new, key).description == made.description)
  }

  @Test func `the calls that wait are limited, for one tree and for all`() throws {
    let desk = Desk()
    let limits = limits {
      $0.maxWaitingCallsPerTree = 2
      $0.maxWaitingCalls = 3
    }
    let store = SessionStore(limits: limits, schedule: desk.schedule)
    let executors = try (0..<2).map { _ in
      try store.find(StoreUnderTest("{}", in: store).id).executor
    }
    func submit(_ executor: Int) -> Bool { executors[executor].submit(Job { _ in }) }
    #expect((0..<3).map { _ in submit(0) } == [true, true, false])
    #expect((0..<2).map { _ in submit(1) } == [true, false])
    desk.work()
    #expect(submit(0) && submit(1))
  }

  @Test func `descriptions of trees are available while they are busy`() throws {
    let shared = try SharedStore(Self.nodes)
    let session = try shared.session("")
    try shared.apply(#"{"op":"insert","key":"d"}"#)
    let tree = try shared.store.find(shared.tree)
    try tree.withTree(.blocking) { _ throws(ServiceError) in
      let description = try shared.store.nonblocking.tree(
        shared.tree,
        expectedRevision: Revision(1)
      )
      #expect(description.nodeCount == 4)
      #expect(try shared.store.nonblocking.trees(after: nil, limit: 10).trees == [description])
    }
    // Others have learned of this change, so the description before it is not shown any more.
    try session.whileWorkedOn {
      #expect(throws: ServiceError.self) {
        _ = try shared.store.nonblocking.tree(shared.tree, expectedRevision: nil)
      }
    }
    #expect(try shared.store.tree(shared.tree, expectedRevision: nil).nodeCount == 5)
  }

  @Test func `a follower of a busy tree gets the missed changes from the executor`() throws {
    let desk = Desk()
    let store = SessionStore(schedule: desk.schedule)
    let session = try StoreUnderTest(Self.nodes, in: store)
    try session.apply(#"{"op":"insert","key":"d"}"#)
    let wakes = Atomic<Int>(0)
    let follower = try store.nonblocking.follow(
      session.id,
      since: Revision(0),
      BatchOptions()
    ) {
      wakes.add(1, ordering: .relaxed)
    }
    let gone = try store.nonblocking.follow(
      session.id,
      since: Revision(0),
      BatchOptions()
    ) {
      wakes.add(1_000, ordering: .relaxed)
    }
    try session.whileWorkedOn {
      #expect(follower.next() == nil && follower.next() == nil)
      gone.cancel()
      #expect(desk.count == 2)
    }
    #expect(follower.next() == nil)
    let before = wakes.load(ordering: .relaxed)
    desk.work()
    #expect(wakes.load(ordering: .relaxed) == before + 1)
    guard case .changes(let answer)? = follower.next() else {
      Issue.record("what was missed did not come")
      return
    }
    #expect(answer.previousRevision == Revision(0) && answer.revision == Revision(2))
    try session.apply(#"{"op":"insert","key":"e"}"#)
    #expect(wakes.load(ordering: .relaxed) == before + 2)
    #expect(follower.next() != nil && follower.next() == nil)
  }

  @Test func `a deleted tree does not exist any more, and its memory is freed`() throws {
    let desk = Desk()
    let store = SessionStore(limits: limits { $0.maxSmallNodes = 10 }, schedule: desk.schedule)
    let nodes = (0..<100).map { #"{"key":"\#($0)"}"# }.joined(separator: ",")
    let new = try NewTree.decode(body: Array(#"{"nodes":[\#(nodes)]}"#.utf8))
    let id = try store.createTree(new, nil).description.tree
    let refused = store.trial { service throws(ServiceError) in
      _ = try service.deleteTree(id, nil, nil)
    }
    #expect(refused?.next != nil)
    #expect(try store.nonblocking.tree(id, expectedRevision: nil).nodeCount == 100)
    try store.deleteTree(id)
    let again = refusal { () throws(ServiceError) in try store.deleteTree(id) }
    #expect(again?.code == .treeNotFound && store.core.usage.bytes == 0)
  }

  @Test func `opening many ancestors is refused to an attempt`() throws {
    let depth = 200
    let opening = (0..<depth).map { #"[{"key":"\#($0)","children":"# }.joined()
    let closing = String(repeating: "}]", count: depth)
    let shared = try SharedStore(
      #"{"nodes":\#(opening)null\#(closing)}"#,
      limits: limits { $0.maxSmallNodes = depth / 2 }
    )
    let id = String(decoding: shared.tree.bytes, as: UTF8.self)
    func open(_ key: Int) throws -> TriedCall? {
      let members = #""tree":"\#(id)","expansion":"none","expandedKeys":["\#(key)"]"#
      let new = try NewSession.decode(body: Array("{\(members)}".utf8))
      return shared.store.trial { service throws(ServiceError) in
        _ = try service.createSession(new, nil)
      }
    }
    #expect(try open(depth / 4) == nil)
    #expect(try open(depth - 1)?.next != nil)
  }

  @Test func `writes continue during an export, and its memory is freed on a worker`() throws {
    let desk = Desk()
    let store = SessionStore(limits: limits { $0.maxSmallNodes = 100 }, schedule: desk.schedule)
    let nodes = (0..<3_000).map { #"{"key":"\#($0)"}"# }.joined(separator: ",")
    let new = try NewTree.decode(body: Array(#"{"nodes":[\#(nodes)]}"#.utf8))
    let id = try store.createTree(new, nil).description.tree
    let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"remove","key":"1"}]}"#.utf8))
    func write() -> TriedCall? {
      store.trial { service throws(ServiceError) in
        _ = try service.apply(batch, to: id, BatchOptions())
      }
    }
    var export: (any TreeExport)? = try store.export(id)
    #expect(write() == nil)
    #expect(export?.next() != nil)
    export = nil
    #expect(desk.count == 1, "its memory is let go of elsewhere")
    desk.work()
  }
}

extension StoreUnderTest {
  /// Keeps the session's tree busy with an insertion while the closure runs.
  func whileWorkedOn(_ body: () throws -> Void) throws {
    let (store, id) = (store, id)
    try whileBusy { notify in
      _ = try store.follow(id, since: nil, BatchOptions(), notify: notify)
    } write: {
      let body = Array(#"{"operations":[{"op":"insert","key":"busy"}]}"#.utf8)
      _ = try? store.apply(Batch.decode(body: body), to: id, BatchOptions())
    } _: {
      try body()
    }
  }
}
