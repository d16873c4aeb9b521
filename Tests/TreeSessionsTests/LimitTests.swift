import Testing
import TreeDomain

@testable import TreeSessions

struct LimitTests {
  @Test func `there are only so many sessions, and a deleted one makes room`() throws {
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

  @Test func `a session that cannot be made leaves no trace`() throws {
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

  @Test func `a tree has only so many nodes, and only so deep`() throws {
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

  @Test func `bytes are counted over all trees and given back`() throws {
    var limits = SessionLimits()
    limits.maxTotalBytes = 1_000
    let store = SessionStore(limits: limits)
    let object = "\"" + String(repeating: "x", count: 1_200) + "\""
    let first = try StoreUnderTest(#"{"nodes":[{"key":"a","object":\#(object)}]}"#, in: store)
    let second = try StoreUnderTest("{}", in: store)
    let full = refusal { () throws(ServiceError) in try second.apply(#"{"op":"insert","key":"b"}"#)
    }
    #expect(full?.code == .overloaded)
    #expect(try first.keys() == ["a"], "reading goes on")
    try store.deleteSession(first.id)
    try second.apply(#"{"op":"insert","key":"b"}"#)
  }

  @Test func `whoever finds a tree only after it ended leaves no bytes behind`() throws {
    let store = SessionStore()
    let usage = store.core.usage
    let new = try NewTree.decode(body: Array(#"{"nodes":[{"key":"a"}]}"#.utf8))
    let id = try store.createTree(new, nil).description.tree
    let tree = try store.find(id)
    #expect(usage.bytes > 0)
    try store.deleteTree(id)
    let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"insert","key":"b"}]}"#.utf8))
    let late = refusal { () throws(ServiceError) in
      _ = try tree.withTree(.patient) { tree throws(ServiceError) in
        try tree.apply(batch, BatchOptions(), at: 0)
      }
    }
    #expect(late?.code == .treeNotFound)
    #expect(usage.bytes == 0)
  }
}
