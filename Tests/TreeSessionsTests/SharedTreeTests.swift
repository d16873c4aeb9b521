import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeSessions

struct SharedTreeTests {
  @Test func `each session has its own rows of one tree`() throws {
    let store = try SharedStore(#"{"nodes":[{"key":"a","children":[{"key":"b"}]},{"key":"c"}]}"#)
    let open = try store.session(#""expansion":"all""#)
    let closed = try store.session(#""expansion":"none""#)
    #expect(try open.keys() == ["a", "b", "c"])
    #expect(try closed.keys() == ["a", "c"])
    try closed.apply(#"{"op":"insert","key":"d","parent":"a"}"#)
    #expect(try open.keys() == ["a", "b", "d", "c"])
    #expect(try closed.keys() == ["a", "c"])
    #expect(try open.revision() == 1 && closed.revision() == 1)
    try open.apply(#"{"op":"collapse","key":"a"}"#)
    #expect(try open.revision() == 2 && closed.revision() == 1)
  }

  @Test func `the sessions of a deleted tree leave the store a part at a time`() throws {
    let desk = Desk()
    let store = SessionStore(schedule: desk.schedule)
    let tree = try store.createTree(NewTree(), nil).description.tree
    let shared = SharedStore(store: store, tree: tree)
    let sessions = try (0..<200).map { _ in try shared.session("") }
    try store.deleteTree(tree)
    #expect(100..<200 ~= store.counts.sessions)
    for session in [sessions[0], sessions[199]] {
      let refused = refusal { () throws(ServiceError) in
        _ = try store.session(session.id, expectedRevision: nil)
      }
      #expect(refused?.code == .sessionNotFound)
    }
    desk.work()
    #expect(store.counts.sessions == 0)
  }

  /// A follower may pass on what it learned before the change has ended.
  @Test func `nobody who learned of a change is told an older revision of the tree`() throws {
    let shared = try SharedStore(#"{"nodes":[{"key":"a"}]}"#)
    let session = try shared.session("")
    let revision = Atomic(0)
    let seen = Mutex<[Int]>([])
    let follower = try shared.store.follow(session.id, since: nil, BatchOptions()) {
      guard revision.load(ordering: .relaxed) > 0 else { return }
      let tree = try? shared.store.nonblocking.tree(shared.tree, expectedRevision: nil)
      seen.withLock { $0.append(tree.map { Int($0.revision.number) } ?? 1) }
    }
    revision.store(1, ordering: .relaxed)
    try shared.apply(#"{"op":"insert","key":"b"}"#)
    withExtendedLifetime(follower) {}
    #expect(seen.withLock { $0 } == [1])
    #expect(try shared.store.tree(shared.tree, expectedRevision: Revision(1)).nodeCount == 2)
  }

  @Test(arguments: [##""filter":{"by":"#key","startsWith":"b"}"##, #""order":"breadthFirst""#])
  func `a session is created beside filtered and reordered ones`(option: String) throws {
    let store = try SharedStore(#"{"nodes":[{"key":"a","children":[{"key":"b"}]},{"key":"c"}]}"#)
    let first = try store.session(option)
    let keys = try first.keys()
    let second = try store.session(#""expansion":"none","expandedKeys":["a"],\#(option)"#)
    let plain = try store.session(#""expansion":"none","expandedKeys":["a"]"#)
    #expect(try first.keys() == keys && second.keys() == keys)
    #expect(try plain.keys() == ["a", "b", "c"])
    try plain.apply(#"{"op":"insert","key":"bb"}"#)
    #expect(try first.keys().contains("bb") && first.keys() == second.keys())
  }

  @Test func `a batch to the tree reaches each session, and cannot change what is shown`() throws {
    let store = try SharedStore(#"{"nodes":[{"key":"a"}]}"#)
    let session = try store.session("")
    let answer = try store.apply(#"{"op":"insert","key":"b"}"#)
    #expect(answer.revision.number == 1 && answer.applied == 1 && answer.nodeCount == 2)
    #expect(try session.keys() == ["a", "b"] && session.revision() == 1)
    let view = refusal { () throws(ServiceError) in _ = try store.apply(#"{"op":"expandAll"}"#) }
    #expect(view?.code == .invalidRequest && view?.operation == 0)
  }

  @Test func `deleting a tree ends its sessions, and a private tree is not found by others`() throws
  {
    let store = try SharedStore("{}")
    let session = try store.session("")
    try store.store.deleteTree(store.tree)
    let gone = refusal { () throws(ServiceError) in _ = try session.keys() }
    #expect(gone?.code == .sessionNotFound)
    let own = try StoreUnderTest("{}", in: store.store)
    let id = try store.store.session(own.id, expectedRevision: nil).tree
    let hidden = refusal { () throws(ServiceError) in
      _ = try store.store.tree(id, expectedRevision: nil)
    }
    #expect(hidden?.code == .treeNotFound)
    #expect(store.store.trees(after: nil, limit: 10).trees.isEmpty)
  }

  @Test func `concurrent writers of one tree leave the result of some order`() async throws {
    let store = try SharedStore("{}")
    let sessions = try (0..<4).map { _ in try store.session("") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (writer, session) in sessions.enumerated() {
        group.addTask {
          for step in 0..<50 {
            let place = step.isMultiple(of: 2) ? #","first":true"# : ""
            try session.apply(#"{"op":"insert","key":"\#(writer).\#(step)"\#(place)}"#)
          }
        }
      }
      try await group.waitForAll()
    }
    let rows = try sessions.map { try $0.keys() }
    #expect(Set(rows).count == 1 && rows[0].count == 200)
    for session in sessions {
      #expect(try session.revision() == 200)
      let net = try store.store.changes(of: session.id, ChangesQuery(since: Revision(0)))
      #expect(net.changes.count == 200)
    }
  }
}
