import Testing
import TreeDomain

@testable import TreeSessions

struct LimitTests {
  @Test func `the number of sessions is limited, and a deleted one makes room`() throws {
    var limits = SessionLimits()
    limits.maxSessions = 2
    let store = SessionStore(limits: limits)
    let first = try StoreUnderTest("{}", in: store)
    _ = try StoreUnderTest("{}", in: store)
    let refused = refusal { () throws(ServiceError) in
      _ = try store.createSession(NewSession(), nil)
    }
    #expect(refused?.code == .overloaded && refused?.limit == 2)
    try store.deleteSession(first.id)
    _ = try StoreUnderTest("{}", in: store)
    let gone = refusal { () throws(ServiceError) in _ = try first.keys() }
    #expect(gone?.code == .sessionNotFound)
  }

  @Test func `a session that cannot be created leaves no trace`() throws {
    var limits = SessionLimits()
    limits.maxSessions = 1
    let store = SessionStore(limits: limits)
    for _ in 0..<3 {
      #expect(throws: ServiceError.self) {
        _ = try StoreUnderTest(#"{"nodes":[{"key":"a"},{"key":"a"}]}"#, in: store)
      }
      #expect(throws: ServiceError.self) {
        _ = try StoreUnderTest(#"{"expandedKeys":["nobody"]}"#, in: store)
      }
    }
    _ = try StoreUnderTest("{}", in: store)
  }

  @Test func `the nodes and the depth of a tree are limited`() throws {
    var limits = SessionLimits()
    limits.maxNodesPerTree = 3
    limits.maxDepth = 1
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"a","children":[{"key":"b"}]}]}"#,
      limits: limits
    )
    let deep = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"insert","key":"c","parent":"b"}"#)
    }
    #expect(deep?.code == .depthLimit && deep?.limit == 1)
    for children in ["[]", #""unloaded""#, "null"] {
      try session.apply(#"{"op":"setChildren","key":"b","children":\#(children)}"#)
    }
    let many = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"insert","key":"c","children":[{"key":"d"}]}"#)
    }
    #expect(many?.code == .contentTooLarge && many?.limit == 3)
    try session.apply(#"{"op":"insert","key":"c"}"#)
    let moved = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"move","key":"a","parent":"c"}"#)
    }
    #expect(moved?.code == .depthLimit)
  }

  @Test func `bytes are counted over all trees, and returned on deletion`() throws {
    var limits = SessionLimits()
    limits.maxMemoryBytes = 1_000_000
    let store = SessionStore(limits: limits)
    let object = "\"" + String(repeating: "x", count: 700_000) + "\""
    let first = try StoreUnderTest(#"{"nodes":[{"key":"a","object":\#(object)}]}"#, in: store)
    let second = try StoreUnderTest("{}", in: store)
    try second.apply(#"{"op":"insert","key":"c"}"#)
    let operations = [
      #"{"op":"insert","key":"b","object":\#(object)}"#,
      #"{"op":"update","key":"c","object":\#(object)}"#,
      #"{"op":"update","key":"c","merge":{"x":\#(object)}}"#,
      #"{"op":"setChildren","key":null,"children":[{"key":"d","object":\#(object)}]}"#,
    ]
    for operation in operations {
      let full = refusal { () throws(ServiceError) in try second.apply(operation) }
      #expect(full?.code == .overloaded && full?.limit == 1_000_000, "\(operation)")
    }
    #expect(try first.keys() == ["a"] && second.keys() == ["c"], "reading goes on")
    let made = refusal { () throws(ServiceError) in
      let new = try NewTree.decode(
        body: Array(#"{"nodes":[{"key":"a","object":\#(object)}]}"#.utf8)
      )
      _ = try store.createTree(new, nil)
    }
    #expect(made?.code == .overloaded)
    try store.deleteSession(first.id)
    try second.apply(operations[0])
  }

  @Test func `a batch or an import is refused before it exceeds the memory limit`() throws {
    var limits = SessionLimits()
    limits.maxMemoryBytes = 1_000_000
    let shared = try SharedStore("{}", limits: limits)
    let object = "\"" + String(repeating: "x", count: 400_000) + "\""
    func lines(_ keys: Range<Int>) -> [String] {
      keys.map { #"{"key":"k\#($0)","object":\#(object)}"# }
    }
    func bring(_ keys: Range<Int>) throws(ServiceError) {
      var decoder = ImportDecoder()
      try decoder.feed(Array(lines(keys).joined(separator: "\n").utf8))
      _ = try shared.store.importNodes(decoder.finish(), into: shared.tree, BatchOptions())
    }
    let usage = shared.store.core.usage
    let empty = usage.bytes
    #expect(refusal { () throws(ServiceError) in try bring(0..<3) }?.code == .overloaded)
    let inserts = lines(0..<3).map { #"{"op":"insert","# + $0.dropFirst() }.joined(separator: ",")
    #expect(refusal { () throws(ServiceError) in try shared.apply(inserts) }?.code == .overloaded)
    #expect(usage.bytes <= empty + 1_000, "nothing of it is left")
    try bring(0..<2)
    #expect(refusal { () throws(ServiceError) in try bring(2..<3) }?.code == .overloaded)
  }

  @Test func `the number of open exports is limited, for one tree and for all`() throws {
    var limits = SessionLimits()
    limits.maxExports = 2
    limits.maxExportsPerTree = 1
    let shared = try SharedStore("{}", limits: limits)
    let store = shared.store
    let others = try (0..<2).map { _ in try store.createTree(NewTree(), nil).description.tree }
    var first: (any TreeExport)? = try store.export(shared.tree)
    func refused(_ tree: TreeID) -> ServiceError? {
      refusal { () throws(ServiceError) in _ = try store.export(tree) }
    }
    let second = refused(shared.tree)
    #expect(second?.code == .overloaded && second?.limit == 1)
    let other = try store.export(others[0])
    let third = refused(others[1])
    #expect(third?.code == .overloaded && third?.limit == 2)
    #expect(first?.next() == nil && other.next() == nil)
    first = nil
    #expect(refused(others[1]) == nil)
    #expect(refused(shared.tree) == nil)
  }

  @Test func `a caller with a name gets half of the exports of a tree, and of all`() throws {
    var limits = SessionLimits()
    limits.maxExports = 6
    limits.maxExportsPerTree = 4
    let shared = try SharedStore("{}", limits: limits)
    let other = try shared.store.createTree(NewTree(), nil).description.tree
    func export(_ tree: TreeID, _ payer: String?) throws(ServiceError) -> any TreeExport {
      let face = SessionStore(shared.store.core, .attempt(Attempt(payer: payer) { 0 }))
      return try face.export(tree)
    }
    func refused(_ tree: TreeID, _ payer: String?) -> ServiceError? {
      refusal { () throws(ServiceError) in _ = try export(tree, payer) }
    }
    var slow = try (0..<2).map { _ in try export(shared.tree, "mallory") }
    let third = refused(shared.tree, "mallory")
    #expect(third?.code == .overloaded && third?.limit == 2)
    #expect(third?.detail.contains("API key") == true)
    slow.append(try export(other, "mallory"))
    #expect(refused(other, "mallory")?.limit == 3)
    try withExtendedLifetime(export(shared.tree, "alice")) {
      // Callers without names can use what is left.
      try withExtendedLifetime(export(shared.tree, nil)) {
        #expect(refused(shared.tree, "alice")?.limit == 4)
      }
    }
    slow.removeFirst()
    #expect(refused(shared.tree, "mallory") == nil)
    slow = []
    #expect(refused(other, "mallory") == nil)
  }

  @Test func `an export that was read to its end does not count, even if it is still held`() throws
  {
    var limits = SessionLimits()
    limits.maxExports = 1
    limits.maxExportsPerTree = 1
    // This schedule runs nothing, so that the exports keep their copies.
    let store = SessionStore(limits: limits, schedule: { _ in })
    let tree = try store.createTree(NewTree(), nil).description.tree
    var exports: [any TreeExport] = []
    for _ in 0..<3 {
      let export = try store.export(tree)
      while export.next() != nil {}
      exports.append(export)
    }
    exports = []
    try withExtendedLifetime(store.export(tree)) {
      let refused = refusal { () throws(ServiceError) in _ = try store.export(tree) }
      #expect(refused?.code == .overloaded, "one that nobody has read counts")
    }
  }

  @Test func `a change of a tree that was just deleted leaves no bytes counted`() throws {
    let store = SessionStore()
    let usage = store.core.usage
    let new = try NewTree.decode(body: Array(#"{"nodes":[{"key":"a"}]}"#.utf8))
    let id = try store.createTree(new, nil).description.tree
    let tree = try store.find(id)
    #expect(usage.bytes > 0)
    try store.deleteTree(id)
    let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"insert","key":"b"}]}"#.utf8))
    let late = refusal { () throws(ServiceError) in
      _ = try tree.withTree(.blocking) { tree throws(ServiceError) in
        try tree.apply(batch, BatchOptions(), at: 0)
      }
    }
    #expect(late?.code == .treeNotFound)
    #expect(usage.bytes == 0)
  }
}
