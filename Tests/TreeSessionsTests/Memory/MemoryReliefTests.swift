import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Checks that unused sessions and trees are dropped above seven eighths of the limit.
/// New ones are refused only if that is not enough.
@Suite struct MemoryReliefTests {
  private let clock = ManualClock()
  private static let limit = 8_000_000

  private func start(over storage: MemoryStorage? = nil) throws -> SessionStore {
    clock.now = 1_000
    var limits = SessionLimits()
    limits.maxMemoryBytes = Self.limit
    guard let storage else { return SessionStore(limits: limits) { [clock] in clock.now } }
    return try SessionStore(limits: limits, storage: storage) { [clock] in clock.now }
  }

  private func makeTree(_ name: String, in store: SessionStore) throws -> TreeID {
    let nodes = (0..<4_000).map { #"{"key":"k\#($0)","object":{"z":\#($0)}}"# }
    return try store.make(name, #""nodes":[\#(nodes.joined(separator: ","))]"#)
  }

  private static func options(_ tree: TreeID) -> String {
    let name = String(decoding: tree.bytes, as: UTF8.self)
    let filter = #"{"not":{"by":"/z","equals":1}}"#
    return #"{"tree":"\#(name)","order":"breadthFirst","filter":\#(filter)}"#
  }

  private func awake(_ store: SessionStore, _ trees: [TreeID]) throws -> Set<SessionID> {
    var all: Set<SessionID> = []
    for tree in trees {
      let awake = try store.find(tree).withTree(.blocking) { Set($0.sessions.keys) }
      all.formUnion(awake)
    }
    return all
  }

  /// Creates three trees, and sessions of each in turn until memory is tight.
  private func fill(
    _ store: SessionStore
  ) throws -> (trees: [TreeID], sessions: [StoreUnderTest]) {
    let trees = try (0..<3).map { try makeTree("t\($0)", in: store) }
    var sessions: [StoreUnderTest] = []
    while !store.isMemoryTight, sessions.count < 1_000 {
      let tree = trees[sessions.count % trees.count]
      sessions.append(try StoreUnderTest(Self.options(tree), in: store))
    }
    return (trees, sessions)
  }

  @Test func `unused sessions fall asleep first, and continue unchanged`() throws {
    let store = try start()
    let (trees, sessions) = try fill(store)
    #expect((4..<1_000).contains(sessions.count))
    try sessions[0].apply(#"{"op":"select","keys":["k7"]}"#)
    let keys = try sessions.map { try $0.keys() }
    let revisions = try sessions.map { try $0.revision() }
    store.relieveMemory()
    #expect(try awake(store, trees).count == sessions.count, "all were used in this second")
    clock.now += 2
    store.relieveMemory()
    let rest = try awake(store, trees)
    #expect(!store.isMemoryTight && rest.count < sessions.count)
    #expect(!rest.isEmpty, "no more sleep than have to")
    #expect(store.statistics.sessions == sessions.count)
    for (number, session) in sessions.enumerated() {
      clock.now += 2
      #expect(try session.keys() == keys[number])
      let since = Revision(try session.revision())
      // The turns of this tree's earlier sessions made three changes each.
      #expect(since.number == revisions[number] + UInt64(3 * (number / trees.count)))
      let none = try store.changes(of: session.id, ChangesQuery(since: since))
      #expect(none.revision == since && none.changes.isEmpty)
      let writer = SharedStore(store: store, tree: trees[number % trees.count])
      // The filter hides the new node, so that the rows of the other sessions stay the same.
      try writer.apply(#"{"op":"insert","key":"n\#(number)","object":{"z":1}}"#)
      try writer.apply(#"{"op":"update","key":"k5","object":{"z":\#(number + 9_000)}}"#)
      let list = try store.changes(of: session.id, ChangesQuery(since: since))
      #expect(!StoreUnderTest.json(list).contains(#""key":"n\#(number)""#))
      #expect(StoreUnderTest.json(list).contains(#""key":"k5""#))
      try writer.apply(#"{"op":"update","key":"k5","object":{"z":5}}"#)
      #expect(store.core.usage.memory.total <= Self.limit)
    }
    #expect(try sessions[0].rows().contains(#""selected":true"#))
  }

  @Test func `changes from before a session slept are refused as expired`() throws {
    let store = try start()
    let (trees, sessions) = try fill(store)
    for tree in trees {
      try SharedStore(store: store, tree: tree).apply(#"{"op":"remove","key":"k9"}"#)
    }
    clock.now += 2
    store.relieveMemory()
    let awake = try awake(store, trees)
    let slept = try #require(sessions.first { !awake.contains($0.id) })
    let refused = refusal { () throws(ServiceError) in
      _ = try store.changes(of: slept.id, ChangesQuery(since: Revision(0)))
    }
    #expect(refused?.code == .historyExpired && refused?.revision == Revision(1))
    #expect(try !slept.keys().contains("k9"))
  }

  @Test func `new sessions are refused only while all others are in use`() throws {
    let store = try start()
    let (trees, _) = try fill(store)
    var refused: ServiceError?
    for _ in 0..<1_000 where refused == nil {
      refused = refusal { () throws(ServiceError) in
        let new = try NewSession.decode(body: Array(Self.options(trees[0]).utf8))
        _ = try store.createSession(new, nil)
      }
    }
    #expect(refused?.code == .overloaded)
    #expect([Self.limit, Self.limit / 2].contains(refused?.limit))
    #expect(store.core.usage.memory.total <= Self.limit)
    clock.now += 2
    _ = try StoreUnderTest(Self.options(trees[0]), in: store)
  }

  @Test func `unused stored trees leave memory, the most recently used last`() throws {
    let store = try start(over: MemoryStorage())
    var trees: [TreeID] = []
    while !store.isMemoryTight, trees.count < 100 {
      clock.now += 1
      trees.append(try makeTree("t\(trees.count)", in: store))
    }
    clock.now += 2
    store.relieveMemory()
    #expect(!store.isMemoryTight)
    let inMemory = try trees.map { try store.find($0).isInMemory }
    #expect(!inMemory[0] && inMemory[trees.count - 1])
    #expect(try store.node(Array("k5".utf8), of: trees[0], ReadOptions()).revision.number == 0)
  }
}
