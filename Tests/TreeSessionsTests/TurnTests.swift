import Dispatch
import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Trees take turns; a nonblocking call neither waits nor works for long.
@Suite struct `Taking turns` {
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

  @Test func `a nonblocking call is refused by a busy tree, and served by another`() throws {
    let desk = Desk()
    let store = SessionStore(assign: desk.assign)
    let busy = try StoreUnderTest(Self.nodes, in: store)
    let free = try StoreUnderTest(Self.nodes, in: store)
    let late = Mutex<Int?>(nil)
    try busy.whileWorkedOn {
      #expect(read(store.nonblocking, free.id) == .success(3))
      guard case .failure(let refusal) = read(store.nonblocking, busy.id) else {
        Issue.record("a busy tree was read")
        return
      }
      #expect(refusal.code == .overloaded)
      let turn = try #require(refusal.turn)
      #expect(
        turn.take {
          let count = try? store.rows(of: busy.id, RowQuery(.offset(0, limit: 10))).rowCount
          late.withLock { $0 = count }
        }
      )
      #expect(desk.count == 1 && late.withLock { $0 } == nil)
    }
    desk.work()
    #expect(late.withLock { $0 } == 4)
    #expect(read(store.nonblocking, busy.id) == .success(4))
  }

  @Test func `what would take long is refused to a nonblocking call, and changes nothing`() throws {
    let store = SessionStore(limits: limits { $0.promptSteps = 30 }, assign: Desk().assign)
    let session = try StoreUnderTest(Self.nodes, in: store)
    let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"remove","key":"a"}]}"#.utf8))
    let patch = try SessionPatch.decode(
      body: Array(#"{"order":"breadthFirst","accordion":true}"#.utf8)
    )
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array("once".utf8), fingerprint: 1)
    for attempt in 0..<2 {
      let refusals = [
        refusal { () throws(ServiceError) in
          _ = try store.nonblocking.apply(batch, to: session.id, options)
        },
        refusal { () throws(ServiceError) in
          _ = try store.nonblocking.patchSession(session.id, patch, BatchOptions())
        },
      ]
      #expect(refusals.allSatisfy { $0?.turn != nil }, "attempt \(attempt)")
      #expect(try session.revision() == 0 && session.keys() == ["a", "b", "c"])
    }
    let answer = try store.apply(batch, to: session.id, options)
    #expect(answer.revision == Revision(1) && !answer.wasReplayed)
    // A replay is no work.
    #expect(try store.nonblocking.apply(batch, to: session.id, options).wasReplayed)
  }

  @Test func `a creation that was refused for want of time is made once`() throws {
    let desk = Desk()
    let store = SessionStore(assign: desk.assign)
    let tree = try store.createTree(NewTree.decode(body: Array(Self.nodes.utf8)), nil)
    let path = String(decoding: tree.description.tree.bytes, as: UTF8.self)
    let first = try StoreUnderTest(#"{"tree":"\#(path)"}"#, in: store)
    let new = try NewSession.decode(body: Array(#"{"tree":"\#(path)"}"#.utf8))
    let key = IdempotencyKey(token: Array("once".utf8), fingerprint: 1)
    try first.whileWorkedOn {
      let refused = refusal { () throws(ServiceError) in
        _ = try store.nonblocking.createSession(new, key)
      }
      #expect(refused?.turn != nil)
    }
    let made = try store.createSession(new, key)
    #expect(!made.wasReplayed && made.description.nodeCount == 4)
    #expect(try store.nonblocking.createSession(new, key).description == made.description)
  }

  @Test func `only so many calls wait for a tree, and only so many for all`() throws {
    let desk = Desk()
    let limits = limits {
      $0.maxWaitingCallsPerTree = 2
      $0.maxWaitingCalls = 3
    }
    let store = SessionStore(limits: limits, assign: desk.assign)
    let turns = try (0..<2).map { _ in
      try store.find(StoreUnderTest("{}", in: store).id).turn
    }
    #expect((0..<3).map { _ in turns[0].take {} } == [true, true, false])
    #expect((0..<2).map { _ in turns[1].take {} } == [true, false])
    desk.work()
    #expect(turns[0].take {} && turns[1].take {})
  }

  @Test func `a tree takes one worker at a time, and trees take turns`() throws {
    let desk = Desk()
    let store = SessionStore(assign: desk.assign)
    let order = Mutex("")
    let turns = try ["a", "b"].map { name in
      (name, try store.find(StoreUnderTest("{}", in: store).id).turn)
    }
    for (name, turn) in turns {
      for _ in 0..<3 { #expect(turn.take { order.withLock { $0 += name } }) }
    }
    #expect(desk.count == 2)
    desk.work()
    #expect(order.withLock { $0 } == "ababab")
  }

  @Test func `what there is to say about trees is said while they are busy`() throws {
    let shared = try SharedStore(Self.nodes)
    let session = try shared.session("")
    try shared.apply(#"{"op":"insert","key":"d"}"#)
    try session.whileWorkedOn {
      let description = try shared.store.nonblocking.tree(
        shared.tree,
        expectedRevision: Revision(1)
      )
      #expect(description.nodeCount == 4)
      #expect(shared.store.nonblocking.trees(after: nil, limit: 10).trees == [description])
    }
    #expect(try shared.store.tree(shared.tree, expectedRevision: nil).nodeCount == 5)
  }

  @Test func `one who follows a busy tree is told of what it missed in the tree's turn`() throws {
    let desk = Desk()
    let store = SessionStore(assign: desk.assign)
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
      #expect(desk.count == 1)
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

  @Test func `a deleted tree is gone, and what it held with it`() throws {
    let desk = Desk()
    let store = SessionStore(limits: limits { $0.promptSteps = 0 }, assign: desk.assign)
    let nodes = (0..<100).map { #"{"key":"\#($0)"}"# }.joined(separator: ",")
    let new = try NewTree.decode(body: Array(#"{"nodes":[\#(nodes)]}"#.utf8))
    let id = try store.createTree(new, nil).description.tree
    let refused = refusal { () throws(ServiceError) in
      _ = try store.nonblocking.deleteTree(id, nil, nil)
    }
    #expect(refused?.turn != nil)
    #expect(try store.nonblocking.tree(id, expectedRevision: nil).nodeCount == 100)
    try store.deleteTree(id)
    let again = refusal { () throws(ServiceError) in try store.deleteTree(id) }
    #expect(again?.code == .treeNotFound && store.core.usage.bytes == 0)
  }

  @Test func `who follows a filter has a share in what a batch will cost`() throws {
    let nodes = (0..<3_000).map { #"{"key":"\#($0)"}"# }.joined(separator: ",")
    let shared = try SharedStore(#"{"nodes":[{"key":"a","children":[\#(nodes)]},{"key":"b"}]}"#)
    let session = try shared.session("")
    func move(under parent: String) throws -> ServiceError? {
      let operation = #"{"op":"move","key":"a","parent":\#(parent)}"#
      let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
      var options = BatchOptions()
      options.format = .ranges
      return refusal { () throws(ServiceError) in
        _ = try shared.store.nonblocking.apply(batch, to: shared.tree, options)
      }
    }
    func set(_ filter: String) throws {
      let patch = try SessionPatch.decode(body: Array(#"{"filter":\#(filter)}"#.utf8))
      _ = try shared.store.patchSession(session.id, patch, BatchOptions())
    }
    #expect(try move(under: #""b""#) == nil)
    try set(##"{"by":"#key","equals":"7"}"##)
    #expect(try move(under: "null")?.turn != nil)
    try set("null")
    #expect(try move(under: "null") == nil)
  }

  @Test func `what opens many ancestors is refused to a nonblocking call`() throws {
    let depth = 200
    let opening = (0..<depth).map { #"[{"key":"\#($0)","children":"# }.joined()
    let closing = String(repeating: "}]", count: depth)
    let shared = try SharedStore(
      #"{"nodes":\#(opening)null\#(closing)}"#,
      limits: limits { $0.promptSteps = 50 * depth / 2 }
    )
    let id = String(decoding: shared.tree.bytes, as: UTF8.self)
    func open(_ key: Int) throws -> ServiceError? {
      let members = #""tree":"\#(id)","expansion":"none","expandedKeys":["\#(key)"]"#
      let new = try NewSession.decode(body: Array("{\(members)}".utf8))
      return refusal { () throws(ServiceError) in
        _ = try shared.store.nonblocking.createSession(new, nil)
      }
    }
    #expect(try open(depth / 4) == nil)
    #expect(try open(depth - 1)?.turn != nil)
  }

  @Test func `writes go on beside an export, and its memory is let go of elsewhere`() throws {
    let desk = Desk()
    let store = SessionStore(limits: limits { $0.promptSteps = 100 }, assign: desk.assign)
    let nodes = (0..<3_000).map { #"{"key":"\#($0)"}"# }.joined(separator: ",")
    let new = try NewTree.decode(body: Array(#"{"nodes":[\#(nodes)]}"#.utf8))
    let id = try store.createTree(new, nil).description.tree
    let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"remove","key":"1"}]}"#.utf8))
    func write() -> ServiceError? {
      refusal { () throws(ServiceError) in
        _ = try store.nonblocking.apply(batch, to: id, BatchOptions())
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
  /// Keeps the session's tree worked on while the body runs: a node is being inserted.
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
