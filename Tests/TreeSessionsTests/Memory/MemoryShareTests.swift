import Testing
import TreeDomain

@testable import TreeSessions

/// Checks that a named caller gets at most half of all memory.
@Suite struct MemoryShareTests {
  private let clock = ManualClock()
  private let store: SessionStore

  private static let limit = 8_000_000

  init() {
    var limits = SessionLimits()
    limits.maxMemoryBytes = Self.limit
    store = SessionStore(limits: limits) { [clock] in clock.now }
  }

  /// Returns the store as `payer` uses it.
  private func face(of payer: String?) -> SessionStore {
    SessionStore(store.core, .attempt(Attempt(payer: payer) { 0 }))
  }

  private func bytes(of payer: String) -> Int { store.core.usage.callers.bytes(of: payer) }

  /// Creates a tree with one node whose object has a string of `bytes` bytes.
  private func makeTree(_ payer: String?, bytes: Int) throws(ServiceError) -> TreeID {
    let object = String(repeating: "x", count: bytes)
    let body = #"{"nodes":[{"key":"a","object":"\#(object)"}]}"#
    let new = try NewTree.decode(body: Array(body.utf8))
    return try face(of: payer).createTree(new, nil).description.tree
  }

  @Test func `trees of a caller are refused beyond its share, and others continue`() throws {
    var trees: [TreeID] = []
    var refused: ServiceError?
    while refused == nil {
      refused = refusal { () throws(ServiceError) in
        trees.append(try makeTree("mallory", bytes: 200_000))
      }
    }
    #expect(refused?.code == .overloaded && refused?.limit == Self.limit / 2)
    #expect(refused?.detail.contains("API key") == true)
    #expect((15...20).contains(trees.count) && bytes(of: "mallory") <= Self.limit / 2)
    let other = try makeTree("alice", bytes: 200_000)
    #expect((200_000...300_000).contains(bytes(of: "alice")))
    // Nodes that others add to a tree are charged to the creator of the tree.
    let shared = SharedStore(store: face(of: "alice"), tree: trees[0])
    let object = String(repeating: "x", count: 200_000)
    let added = refusal { () throws(ServiceError) in
      try shared.apply(#"{"op":"insert","key":"b","object":"\#(object)"}"#)
    }
    #expect(added?.code == .overloaded && added?.limit == Self.limit / 2)
    try store.deleteTree(trees[0])
    _ = try makeTree("mallory", bytes: 200_000)
    try store.deleteTree(other)
    #expect(bytes(of: "alice") == 0)
  }

  @Test func `a caller without a name can use all memory`() throws {
    for _ in 0..<25 { _ = try makeTree(nil, bytes: 200_000) }
    #expect(store.core.usage.memory.total > Self.limit / 2)
  }

  @Test func `a session is charged to its creator as it grows, and to its waker after a sleep`()
    throws
  {
    let nodes = (0..<4_000).map { #"{"key":"k\#($0)"}"# }.joined(separator: ",")
    let new = try NewTree.decode(body: Array(#"{"tree":"t","nodes":[\#(nodes)]}"#.utf8))
    _ = try store.createTree(new, nil)
    let options = Array(#"{"tree":"t"}"#.utf8)
    let face = SessionStore(store.core, .waiting(Payer("bob")))
    let id = try face.createSession(NewSession.decode(body: options), nil).description.session
    let plain = bytes(of: "bob")
    #expect((1_000...4_000).contains(plain))
    let patch = try SessionPatch.decode(body: Array(#"{"order":"breadthFirst"}"#.utf8))
    _ = try store.patchSession(id, patch, BatchOptions())
    let layered = bytes(of: "bob")
    #expect(layered > plain + 4_000 * 16)
    clock.now += 100
    try store.find(id).withTree(.blocking) { _ = $0.putToSleep([id], unusedSince: .max) }
    #expect(bytes(of: "bob") == 0)
    _ = try SessionStore(store.core, .waiting(Payer("carol"))).rows(
      of: id,
      RowQuery(.offset(0, limit: 1))
    )
    #expect(bytes(of: "carol") == layered)
    try store.deleteSession(id)
    #expect(bytes(of: "carol") == 0)
  }

  @Test func `unused sessions of a caller fall asleep when it needs the room`() throws {
    let nodes = (0..<4_000).map { #"{"key":"k\#($0)"}"# }.joined(separator: ",")
    let new = try NewTree.decode(body: Array(#"{"tree":"t","nodes":[\#(nodes)]}"#.utf8))
    _ = try store.createTree(new, nil)
    let options = Array(#"{"tree":"t","order":"breadthFirst"}"#.utf8)
    func open(_ payer: String) throws(ServiceError) -> SessionID {
      let face = SessionStore(store.core, .waiting(Payer(payer)))
      return try face.createSession(NewSession.decode(body: options), nil).description.session
    }
    let other = try open("alice")
    clock.now += 1
    var made = 0
    while refusal({ () throws(ServiceError) in _ = try open("mallory") }) == nil, made < 1_000 {
      made += 1
    }
    #expect((5..<1_000).contains(made), "those of this second are in use")
    clock.now += 2
    _ = try open("mallory")
    let awake = try store.find(other).withTree(.blocking) { Set($0.sessions.keys) }
    #expect(awake.count <= made + 1)
  }
}

/// A control for a caller that never stops work.
private final class Payer: WorkControl {
  let payer: String?

  init(_ payer: String) { self.payer = payer }

  func check() throws(ServiceError) {}
}
