import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Checks that requests for too much memory are refused before they use it.
@Suite struct MemoryRefusalTests {
  private let clock = ManualClock()

  private func limits(_ bytes: Int) -> SessionLimits {
    var limits = SessionLimits()
    limits.maxMemoryBytes = bytes
    return limits
  }

  /// Returns a root with `count` children that have one child each, as a member of a body.
  private static func pairs(_ count: Int) -> String {
    let nodes = (0..<count).map { #"{"key":"k\#($0)","children":[{"key":"c\#($0)"}]}"# }
    return #""nodes":[{"key":"r","children":[\#(nodes.joined(separator: ","))]}]"#
  }

  @Test func `the expansion of many levels is refused, and changes nothing`() throws {
    let store = SessionStore(limits: limits(1_500_000))
    let body = #"{"tree":"t",\#(Self.pairs(4_000))}"#
    _ = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    let session = try StoreUnderTest(#"{"tree":"t","expansion":"none"}"#, in: store)
    let (rows, bytes) = (try session.rows(), store.core.usage.memory.total)
    let refused = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"expand","key":"r","levels":"all"}"#)
    }
    #expect(refused?.code == .overloaded && refused?.operation == 0)
    #expect(try session.rows() == rows && session.revision() == 0)
    #expect(store.core.usage.memory.total == bytes)
    // `expandAll` only sets the rule, which needs no memory, and one level needs little.
    try session.apply(#"{"op":"expand","key":"r"}"#)
    try session.apply(#"{"op":"expandAll"}"#)
    #expect(try session.keys().count == 8_001)
  }

  @Test func `a rule of levels is refused, at creation and by a patch`() throws {
    let object = String(repeating: "x", count: 30)
    let nodes = (0..<20_000).map { #"{"key":"k\#($0)","object":"\#(object)"}"# }
    let body = #"{"tree":"t","nodes":[\#(nodes.joined(separator: ","))]}"#
    let probe = SessionStore()
    _ = try probe.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    // Enough room for the tree and some sessions, but not for an index of the tree.
    let room = probe.core.usage.memory.total + 8_000
    let store = SessionStore(limits: limits(room))
    _ = try probe.deleteTree(#require(TreeID(validating: "t".utf8)))
    let tree = try NewTree.decode(body: Array(body.utf8))
    guard (try? store.createTree(tree, nil)) != nil else {
      // The creation needed more room for a moment.
      return #expect(store.core.usage.memory.total == 0)
    }
    let session = try StoreUnderTest(#"{"tree":"t","expansion":"none"}"#, in: store)
    let bytes = store.core.usage.memory.total
    let made = refusal { () throws(ServiceError) in
      let options = Array(#"{"tree":"t","expansion":3}"#.utf8)
      _ = try store.createSession(NewSession.decode(body: options), nil)
    }
    #expect(made?.code == .overloaded)
    let patch = try SessionPatch.decode(body: Array(#"{"expansion":3}"#.utf8))
    let patched = refusal { () throws(ServiceError) in
      _ = try store.patchSession(session.id, patch, BatchOptions())
    }
    #expect(patched?.code == .overloaded)
    #expect(store.core.usage.memory.total == bytes)
  }

  @Test func `a filter with many long patterns is refused`() throws {
    let store = SessionStore(limits: limits(4_000_000))
    let pattern = String(repeating: "[a]", count: 1_300)
    let tests = (0..<20).map { _ in #"{"by":"/a","matches":"\#(pattern)"}"# }
    let refused = refusal { () throws(ServiceError) in
      let options = #"{"filter":{"any":[\#(tests.joined(separator: ","))]}}"#
      _ = try store.createSession(NewSession.decode(body: Array(options.utf8)), nil)
    }
    #expect(refused?.code == .overloaded)
    #expect(store.core.usage.memory.total == 0)
  }

  // MARK: Trees that are stored

  private func start(_ storage: MemoryStorage, bytes: Int) throws -> SessionStore {
    var limits = limits(bytes)
    limits.snapshotEntries = 3
    return try SessionStore(limits: limits, storage: storage) { [clock] in clock.now }
  }

  @Test(arguments: [false, true])
  func `a stored tree is not read without room, and can be read later`(
    hasSnapshot: Bool
  ) throws {
    let storage = MemoryStorage()
    let body = #"{"tree":"t",\#(Self.pairs(10_000))}"#
    var store = try start(storage, bytes: 1 << 30)
    let tree = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil).description.tree
    for number in 0..<(hasSnapshot ? 5 : 1) {
      try SharedStore(store: store, tree: tree).apply(#"{"op":"insert","key":"n\#(number)"}"#)
    }
    store = try start(storage, bytes: 400_000)
    for _ in 0..<3 {
      let refused = refusal { () throws(ServiceError) in
        _ = try store.node(Array("r".utf8), of: tree, ReadOptions())
      }
      #expect(refused?.code == .overloaded)
      #expect(store.core.usage.memory.bytes[.nodes] == 0 && store.core.usage.trees == 0)
    }
    store = try start(storage, bytes: 1 << 30)
    let nodes = try store.tree(tree, expectedRevision: nil).nodeCount
    #expect(try store.node(Array("n0".utf8), of: tree, ReadOptions()).revision.number > 0)
    #expect(nodes == 20_001 + (hasSnapshot ? 5 : 1))
  }

  @Test(arguments: ["reveal", "select"])
  func `naming many nodes of a view is refused, and changes nothing`(operation: String) throws {
    let storage = MemoryStorage()
    let body = #"{"tree":"t",\#(Self.pairs(4_000))}"#
    var store = try start(storage, bytes: 1 << 30)
    _ = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    let options = #"{"tree":"t","expansion":"none","selection":"multiple"}"#
    let id = try StoreUnderTest(options, in: store).id
    store = try start(storage, bytes: 1 << 30)
    _ = try StoreUnderTest(id, of: store).rows()
    // Enough room for the tree and its session, but not for 4 000 nodes more in the view.
    let room = store.core.usage.memory.total + 30_000
    store = try start(storage, bytes: room)
    let session = StoreUnderTest(id, of: store)
    let rows = try session.rows()
    let keys = (0..<4_000).map { #""c\#($0)""# }.joined(separator: ",")
    let refused = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"\#(operation)","keys":[\#(keys)]}"#)
    }
    #expect(refused?.code == .overloaded && refused?.operation == 0)
    #expect(try session.rows() == rows && session.revision() == 0)
    // Tables grow by doubling, and keep their capacity when the operation is rolled back.
    #expect(store.core.usage.memory.total < room + 10_000)
    store = try start(storage, bytes: 1 << 30)
    let answer = try StoreUnderTest(id, of: store).apply(
      #"{"op":"\#(operation)","keys":[\#(keys)]}"#,
      #"{"op":"reveal","keys":["c7"]}"#
    )
    #expect(answer.revision.number == 1)
  }

  @Test func `sessions read with their tree sleep if there is no room for their rows`()
    throws
  {
    let storage = MemoryStorage()
    var store = try start(storage, bytes: 1 << 30)
    let body = #"{"tree":"t",\#(Self.pairs(4_000))}"#
    let tree = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil).description.tree
    let options = #"{"tree":"t","order":"breadthFirst"}"#
    let sessions = try (0..<12).map { _ in try StoreUnderTest(options, in: store).id }
    let rows = try StoreUnderTest(sessions[0], of: store).keys()
    store = try start(storage, bytes: 4_000_000)
    for id in sessions {
      clock.now += 2
      #expect(try StoreUnderTest(id, of: store).keys() == rows)
      #expect(store.core.usage.memory.total < 4_000_000)
    }
    try SharedStore(store: store, tree: tree).apply(#"{"op":"insert","key":"n"}"#)
    #expect(try StoreUnderTest(sessions[3], of: store).keys().contains("n"))
  }
}
