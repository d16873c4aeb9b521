import Dispatch
import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Threads that read and write one tree concurrently, with large and small requests.
struct CrowdedTreeTests {
  private static let nodeCount = 300

  /// The value of all nodes at each revision that readers saw.
  private final class Sightings: Sendable {
    private let values = Mutex<[UInt64: Int]>([:])

    /// Records the value of a revision.
    ///
    /// Returns false if it had another one.
    func enter(_ value: Int, at revision: UInt64) -> Bool {
      values.withLock { values in
        defer { values[revision] = value }
        return values[revision] == nil || values[revision] == value
      }
    }

    var count: Int { values.withLock { $0.count } }
  }

  /// A store with a tree in which all nodes have the same value after each batch.
  private struct Crowd: Sendable {
    let store: SessionStore
    let tree: TreeID
    let sightings = Sightings()

    init() throws {
      let workers = Workers()
      var limits = SessionLimits()
      limits.maxSmallNodes = 50
      store = SessionStore(limits: limits, schedule: workers.schedule)
      let nodes = (0..<nodeCount).map { #"{"key":"n\#($0)","object":{"v":0}}"# }
      let body = #"{"nodes":[\#(nodes.joined(separator: ","))]}"#
      tree = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil).description.tree
    }

    /// Opens a session.
    func session() throws -> SessionID {
      let name = String(decoding: tree.bytes, as: UTF8.self)
      let new = try NewSession.decode(body: Array(#"{"tree":"\#(name)"}"#.utf8))
      return try store.createSession(new, nil).description.session
    }

    /// Reads all rows of a session, expects that they are of one revision, and returns it.
    func read(_ session: SessionID) throws -> UInt64 {
      let query = RowQuery(.offset(0, limit: 1_000), fields: .object)
      let page = try AskedCall(store) { service throws(ServiceError) in
        try service.rows(of: session, query)
      }.get()
      #expect(value(of: page.rows) != nil, "a reader sees two revisions")
      return page.revision.number
    }

    /// Reads all nodes of the tree, and compares them with earlier reads of the same revision.
    func readTree() throws {
      let query = ChildrenQuery(of: nil, 0..<1_000, ReadOptions(fields: .object))
      let range = try AskedCall(store) { [tree] service throws(ServiceError) in
        try service.children(query, of: tree)
      }.get()
      let value = value(of: range.arena)
      #expect(value != nil, "a reader sees two revisions")
      let isSame = sightings.enter(value ?? -1, at: range.revision.number)
      #expect(isSame, "a revision reads differently")
    }

    /// Returns the value of all nodes that have one; `nil` if they differ or some are missing.
    private func value(of bytes: [UInt8]) -> Int? {
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: #"{"v":"#)
      let values = parts.suffix(nodeCount).map { Int($0.prefix { $0.isNumber }) }
      return Set(values).count == 1 && values.count == nodeCount ? values[0] : nil
    }

    /// Gives all nodes a value, or inserts one node without a value, which is small.
    func write(_ value: Int, _ session: SessionID, isLarge: Bool) throws -> UInt64 {
      let updates = (0..<nodeCount).map {
        #"{"op":"update","key":"n\#($0)","object":{"v":\#(value)}}"#
      }
      let insertion = #"{"op":"insert","key":"x\#(value)","object":{},"first":true}"#
      let operations = isLarge ? updates.joined(separator: ",") : insertion
      let batch = try Batch.decode(body: Array(#"{"operations":[\#(operations)]}"#.utf8))
      return try AskedCall(store) { service throws(ServiceError) in
        try service.apply(batch, to: session, BatchOptions())
      }.get().revision.number
    }
  }

  @Test(arguments: Seed.seeds(count: 2))
  func `each reader sees one revision, and none before its own writes`(seed: UInt64) async throws {
    let crowd = try Crowd()
    let rounds = Seed.operations(default: 30)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 100 &+ UInt64(task))
          let session = try crowd.session()
          var last: UInt64 = 0
          for round in 0..<rounds {
            // Two tasks make large writes, two make small ones, and two only read.
            if task < 4, random.oneIn(3) {
              let value = task * 1_000 + round + 1
              last = max(last, try crowd.write(value, session, isLarge: task < 2))
            }
            let revision = try crowd.read(session)
            #expect(revision >= last, "SEED=\(seed): a reader goes back")
            last = revision
            try crowd.readTree()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(crowd.sightings.count > 1)
    try crowd.store.find(crowd.tree).withTree(.blocking) { $0.content.tree.checkInvariants() }
  }
}
