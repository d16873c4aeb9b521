import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A tree that exceeds lowered limits can be changed, but cannot grow.
struct LoweredLimitTests {
  private let store: SessionStore
  private let session: StoreUnderTest

  /// Makes nodes at depth 2, then sets the maximum depth to 0.
  init() throws {
    let storage = MemoryStorage()
    let tree = #"""
      {"tree":"t","sections":["A","B"],"sort":[{"by":"","compare":"number"}],"nodes":[
      {"key":"a","object":1,"section":"A","children":[{"key":"a1","object":1,"children":[
      {"key":"a11"},{"key":"a12"}]},{"key":"a2","object":2}]},{"key":"b","object":2,"section":"A"}]}
      """#
    _ = try SessionStore(storage: storage, clock: { 0 })
      .createTree(NewTree.decode(body: Array(tree.utf8)), nil)
    var limits = SessionLimits()
    limits.maxDepth = 0
    limits.maxNodesPerTree = 4
    store = try SessionStore(limits: limits, storage: storage, clock: { 0 })
    session = try StoreUnderTest(#"{"tree":"t","expansion":"all"}"#, in: store)
  }

  @Test(arguments: [
    (#"{"op":"update","key":"a","object":3}"#, ["b", "a", "a1", "a11", "a12", "a2"]),
    (#"{"op":"update","key":"a1","object":3}"#, ["a", "a2", "a1", "a11", "a12", "b"]),
    (#"{"op":"moveSection","section":"A","index":1}"#, ["a", "a1", "a11", "a12", "a2", "b"]),
    (#"{"op":"move","key":"a1","parent":"a","index":1}"#, ["a", "a2", "a1", "a11", "a12", "b"]),
    (#"{"op":"move","key":"a1","section":"B"}"#, ["a", "a2", "b", "a1", "a11", "a12"]),
    (#"{"op":"move","key":"a11","parent":"a"}"#, ["a", "a11", "a1", "a12", "a2", "b"]),
    (
      #"{"op":"sort","key":"a","by":[{"by":"","direction":"descending"}]}"#,
      ["a", "a2", "a1", "a11", "a12", "b"]
    ),
    (#"{"op":"setChildren","key":"a1","children":[]}"#, ["a", "a1", "a2", "b"]),
    (
      #"{"op":"setChildren","key":"a1","children":[{"key":"a12"}]}"#,
      ["a", "a1", "a12", "a2", "b"]
    ),
    (#"{"op":"removeSection","section":"A"}"#, []),
  ])
  func `a change that makes nothing deeper is accepted`(operation: String, keys: [String]) throws {
    try session.apply(operation)
    #expect(try session.keys() == keys)
  }

  @Test(arguments: [
    (
      #"{"op":"remove","key":"a2"},{"op":"remove","key":"a12"},{"op":"remove","key":"b"},"#
        + #"{"op":"insert","key":"x","parent":"a11"}"#, ServiceErrorCode.depthLimit
    ),
    (#"{"op":"move","key":"a1","parent":"b"}"#, nil),
    (#"{"op":"setChildren","key":"a11","children":[{"key":"x"}]}"#, .depthLimit),
    (#"{"op":"move","key":"b","parent":"a1"}"#, .depthLimit),
    (#"{"op":"insert","key":"x"}"#, .contentTooLarge),
  ])
  func `a change that adds or deepens nodes is refused`(
    operation: String,
    code: ServiceErrorCode?
  ) throws {
    let refused = refusal { () throws(ServiceError) in try session.apply(operation) }
    #expect(refused?.code == code)
  }
}
