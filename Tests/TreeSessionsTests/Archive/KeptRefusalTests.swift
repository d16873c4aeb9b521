import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A refusal that is stored for retries is an entry, which changes nothing when it is replayed.
struct KeptRefusalTests {
  private static let deep = #"{"op":"insert","key":"d","parent":"b"}"#
  private let storage = MemoryStorage()
  private let tree: TreeID

  init() throws {
    tree = try #require(TreeID(validating: "t".utf8))
    let nodes = #"{"tree":"t","nodes":[{"key":"a","children":[{"key":"b"}]}]}"#
    _ = try start().createTree(NewTree.decode(body: Array(nodes.utf8)), nil)
  }

  /// Makes a store with a maximum depth of 1.
  private func start() throws -> SessionStore {
    var limits = SessionLimits()
    limits.maxDepth = 1
    return try SessionStore(limits: limits, storage: storage, clock: { 0 })
  }

  private func apply(_ operation: String, in store: SessionStore) throws {
    _ = try store.apply(batch(operation), to: tree, options)
  }

  private func batch(_ operation: String) throws -> Batch {
    try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
  }

  private var options: BatchOptions {
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array("k".utf8), fingerprint: 1)
    return options
  }

  @Test(arguments: [
    (deep, ServiceErrorCode.depthLimit), (#"{"op":"insert","key":"a"}"#, .duplicateKey),
    (#"{"op":"move","key":"a","parent":"b"}"#, .cycle),
    (#"{"op":"setChildren","key":"b","children":[{"key":"x"}]}"#, .depthLimit),
  ])
  func `a tree with a stored refusal can be read`(
    operation: String,
    code: ServiceErrorCode
  ) throws {
    for _ in 0..<3 {
      let store = try start()
      let told = #expect(throws: ServiceError.self) { try apply(operation, in: store) }
      #expect(told?.code == code)
      let read = try store.tree(tree, expectedRevision: nil)
      #expect(read.nodeCount == 2 && read.revision == Revision(0))
    }
  }

  /// Older programs stored refusals because of depth as well.
  @Test func `a stored refusal because of depth changes nothing`() throws {
    let entry = JournalEntry(.batch(try batch(Self.deep)), at: 0, options)
    let stored = StoredEntry(number: 2, revision: 0, nodeCount: 2, body: entry.encoded())
    try storage.commit([.append(stored, to: TreeNumber(1))])
    let store = try start()
    let update = try batch(#"{"op":"update","key":"b","object":1}"#)
    let answer = try store.apply(update, to: tree, BatchOptions())
    #expect(answer.revision == Revision(1) && answer.nodeCount == 2)
    let again = #expect(throws: ServiceError.self) { try apply(Self.deep, in: start()) }
    #expect(again?.code == .depthLimit)
  }
}
