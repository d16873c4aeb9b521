import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// Checks that bytes count from the creation of their holder to its end.
@Suite struct MemorySumTests {
  private let store = SessionStore()

  private var bytes: MemoryBytes { store.core.usage.memory.bytes }

  /// Creates a tree `t` with `count` roots that have two leaves each.
  private func makeTree(roots count: Int) throws -> LockedTree {
    let nodes = (0..<count).map { number in
      let children = #"[{"key":"a\#(number)"},{"key":"b\#(number)"}]"#
      return #"{"key":"k\#(number)","object":\#(number),"children":\#(children)}"#
    }
    let body = #"{"tree":"t","nodes":[\#(nodes.joined(separator: ","))]}"#
    let id = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil).description.tree
    return try store.find(id)
  }

  @Test func `the revisions that a session remembers are counted while it is awake`() throws {
    let tree = try makeTree(roots: 1)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let before = bytes[.views]
    for number in 0..<600 {
      let patch = try SessionPatch.decode(body: Array("{\"accordion\":\(number % 2 == 0)}".utf8))
      _ = try store.patchSession(session.id, patch, BatchOptions())
    }
    #expect(9_600...40_000 ~= bytes[.views] - before)
    try tree.withTree(.blocking) { manager in
      _ = manager.putToSleep([session.id], unusedSince: .max)
    }
    #expect(bytes[.views] <= before)
  }

  @Test func `a copy counts the parts that it does not share, until it is released`() throws {
    let tree = try makeTree(roots: 5_000)
    _ = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let before = bytes
    let sort = #"{"op":"sort","key":null,"by":[{"by":"","direction":"descending"}]}"#
    let body = Array(#"{"operations":[\#(sort)]}"#.utf8)
    var copy: TreeCopy? = try tree.withTree(.blocking) { manager in
      TreeCopy(manager.fork(with: []))
    }
    #expect(bytes == before, "all of it is shared")
    var options = BatchOptions()
    options.isDryRun = true
    _ = try copy?.manager.apply(Batch.decode(body: body), options, at: 0)
    #expect(bytes.total - before.total > 100_000, "the sequence of nodes was copied")
    #expect(bytes[.views] == before[.views], "sessions that are not in the copy are there")
    copy = nil
    #expect(bytes == before)
  }

  @Test func `a change on a copy counts once when the copy replaces the tree`() throws {
    let tree = try makeTree(roots: 5_000)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let patch = try SessionPatch.decode(body: Array(#"{"order":"breadthFirst"}"#.utf8))
    let job = Job { [store] attempt in
      let service = SessionStore(store.core, .attempt(attempt))
      do throws(ServiceError) {
        _ = try service.patchSession(session.id, patch, BatchOptions())
      } catch {
        Issue.record("\(error)")
      }
    }
    job.run(on: UnscheduledSlot(), of: tree.executor)
    let held = try tree.withTree(.blocking) { $0.held }
    let entries = SessionTable.entryBytes * store.core.table.withLock(\.sessions.count)
    #expect(held.engine.layers > 100_000)
    #expect(bytes[.layers] == held.engine.layers && bytes.total == held.bytes + entries)
  }

  @Test func `the steps and sort keys of a running batch count`() throws {
    let tree = try makeTree(roots: 5_000)
    let watch = MemoryWatch(of: store.core.usage.memory)
    let sorts = (0..<8).map { number in
      let direction = number % 2 == 0 ? "ascending" : "descending"
      return #"{"op":"sort","key":null,"by":[{"by":"","direction":"\#(direction)"}]}"#
    }
    let body = Array(#"{"operations":[\#(sorts.joined(separator: ","))]}"#.utf8)
    let batch = try Batch.decode(body: body)
    _ = try tree.withTree(.waiting(watch)) { manager throws(ServiceError) in
      try manager.apply(batch, BatchOptions(), at: 0)
    }
    #expect(watch.most[.transactions] > 150_000)
    #expect(bytes[.transactions] == 0)
  }

  @Test func `the filters of sessions count, awake and asleep`() throws {
    _ = try makeTree(roots: 1)
    let text = String(repeating: "x", count: 4_000)
    let before = bytes
    func session(_ text: String) throws -> StoreUnderTest {
      try StoreUnderTest(
        #"{"tree":"t","filter":{"any":[{"by":"/a","contains":"\#(text)"}]}}"#,
        in: store
      )
    }
    let sessions = try (0..<20).map { try session("\(text)\($0)") }
    #expect(bytes[.views] - before[.views] > 20 * 3 * 4_000)
    try store.find(sessions[0].id).withTree(.blocking) { manager in
      _ = manager.putToSleep(Array(manager.sessions.keys), unusedSince: .max)
    }
    #expect(bytes[.views] - before[.views] < 100_000)
    #expect(bytes[.sleepingSessions] > 20 * 3 * 4_000)
    let patch = try SessionPatch.decode(body: Array(#"{"filter":null}"#.utf8))
    for session in sessions { _ = try store.patchSession(session.id, patch, BatchOptions()) }
    #expect(bytes[.views] - before[.views] < 100_000)
    for session in sessions { try store.deleteSession(session.id) }
    try store.deleteTree(#require(TreeID(validating: "t".utf8)))
    #expect(bytes.total == 0)
  }

  @Test func `long orders count, of a tree, of siblings and of sessions awake and asleep`() throws {
    let pointer = String(repeating: "/", count: 1_000)
    func order(_ number: Int) -> String { #"[{"by":"/\#(number)\#(pointer)"}]"# }
    let created = try NewTree.decode(body: Array(#"{"tree":"t","sort":\#(order(0))}"#.utf8))
    let id = try store.createTree(created, nil).description.tree
    #expect(bytes[.nodes] > 3_000)
    let shared = SharedStore(store: store, tree: id)
    for number in 0..<20 {
      let leaves = #"[{"key":"l\#(number)"},{"key":"m\#(number)"}]"#
      try shared.apply(#"{"op":"insert","key":"k\#(number)","children":\#(leaves)}"#)
    }
    let before = bytes
    for number in 0..<20 {
      // Equal orders are held once, although each of them was read by itself.
      let by = order(1 + number / 2)
      try shared.apply(#"{"op":"sort","key":"k\#(number)","by":\#(by)}"#)
    }
    #expect(10 * 3_000..<20 * 3_000 ~= bytes[.nodes] - before[.nodes])
    let views = bytes
    let sessions = try (0..<10).map { number in
      try StoreUnderTest(#"{"tree":"t","viewSort":\#(order(number))}"#, in: store)
    }
    #expect(bytes[.views] - views[.views] > 10 * 3_000)
    try store.find(sessions[0].id).withTree(.blocking) { manager in
      _ = manager.putToSleep(Array(manager.sessions.keys), unusedSince: .max)
    }
    #expect(bytes[.sleepingSessions] > 10 * 3_000)
    for session in sessions { try store.deleteSession(session.id) }
    try store.deleteTree(id)
    #expect(bytes.total == 0)
  }

  @Test func `answers that are kept for retries count with their filters`() throws {
    _ = try makeTree(roots: 1)
    let pattern = String(repeating: "a*", count: 2_000)
    let body = #"{"tree":"t","filter":{"by":"/a","matches":"\#(pattern)"}}"#
    let before = bytes
    for number in 0..<5 {
      let new = try NewSession.decode(body: Array(body.utf8))
      let key = IdempotencyKey(token: Array("k\(number)".utf8), fingerprint: 1)
      let id = try store.createSession(new, key).description.session
      try store.deleteSession(id)
    }
    #expect(bytes[.replays] - before[.replays] > 5 * 4_000 * 30)
  }

  @Test func `names of sections that were replaced count in the past`() throws {
    let names = (0..<100).map { "\"section \($0)\"" }.joined(separator: ",")
    let new = try NewTree.decode(body: Array(#"{"tree":"s","sections":[\#(names)]}"#.utf8))
    let shared = SharedStore(store: store, tree: try store.createTree(new, nil).description.tree)
    let long = String(repeating: "n", count: 400)
    try shared.apply(#"{"op":"renameSection","section":"section 5","to":"\#(long)"}"#)
    let before = bytes
    try shared.apply(#"{"op":"moveSection","section":"\#(long)","index":50}"#)
    let moved = bytes
    try shared.apply(#"{"op":"renameSection","section":"\#(long)","to":"x"}"#)
    let own = (moved[.history] - before[.history], bytes[.history] - moved[.history])
    // The list of commits may have grown by some bytes.
    #expect(own.1 - own.0 > 350 && own.1 - own.0 < 1_000)
  }

  @Test func `sections count, and so do those of past revisions`() throws {
    let names = (0..<2_000).map { "\"section \($0)\"" }.joined(separator: ",")
    let tree = try NewTree.decode(body: Array(#"{"tree":"s","sections":[\#(names)]}"#.utf8))
    let id = try store.createTree(tree, nil).description.tree
    let table = 2_000 * 100
    #expect(bytes[.nodes] > table)
    let shared = SharedStore(store: store, tree: id)
    let before = bytes
    for index in 0..<10 {
      try shared.apply(#"{"op":"moveSection","section":"section \#(index)","index":1999}"#)
    }
    #expect(bytes[.history] - before[.history] > 10 * 2_000 * 16)
    for name in 0..<1_999 {
      try shared.apply(#"{"op":"removeSection","section":"section \#(name)"}"#)
    }
    try store.deleteTree(id)
    #expect(bytes.total == 0)
  }

  @Test func `a failed creation leaves no bytes counted`() throws {
    for body in [
      #"{"nodes":[{"key":"a"},{"key":"a"}]}"#, #"{"expandedKeys":["nobody"]}"#,
      #"{"nodes":[{"key":"a","section":"none"}]}"#,
    ] {
      #expect(throws: ServiceError.self) { _ = try StoreUnderTest(body, in: store) }
      let new = try NewTree.decode(body: Array(#"{"nodes":[{"key":"a"},{"key":"a"}]}"#.utf8))
      #expect(throws: ServiceError.self) { _ = try store.createTree(new, nil) }
    }
    #expect(bytes.total == 0)
    #expect(store.core.usage.trees == 0 && store.core.usage.nodes == 0)
  }
}

/// Records the most bytes of each kind that were counted while work ran.
private final class MemoryWatch: WorkControl {
  private let memory: MemoryAccount
  private let found = Mutex(MemoryBytes())

  init(of memory: MemoryAccount) { self.memory = memory }

  var most: MemoryBytes { found.withLock { $0 } }

  func check() throws(ServiceError) {
    let now = memory.bytes
    found.withLock { found in
      for kind in MemoryKind.allCases { found[kind] = max(found[kind], now[kind]) }
    }
  }
}
