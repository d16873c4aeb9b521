import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Checks the limit of the memory for the undo of a request.
@Suite struct UndoBytesTests {
  private func sort(_ direction: String) -> String {
    #"{"op":"sort","by":[{"by":"","direction":"\#(direction)"}]}"#
  }

  private func makeTree(maxUndoBytes: Int) throws -> MeteredTree {
    var limits = SessionLimits()
    limits.maxUndoBytes = maxUndoBytes
    let nodes = (0..<1_000).map { #"{"key":"\#($0)","object":\#($0 * 7_919 % 1_000)}"# }
    return try MeteredTree(#"{"nodes":[\#(nodes.joined(separator: ","))]}"#, limits: limits)
  }

  @Test func `many sorts of the same siblings are refused, and leave no changes`() throws {
    var tree = try makeTree(maxUndoBytes: 50_000)
    let before = try tree.keys()
    let sorts = (0..<20).map { sort($0 % 2 == 0 ? "ascending" : "descending") }
    let refused = refusal { () throws(ServiceError) in try tree.apply(sorts) }
    #expect(refused?.code == .contentTooLarge && refused?.limit == 50_000)
    #expect((2...10).contains(refused?.operation ?? 0))
    #expect(
      tree.manager.content.treeRevision == Revision(0)
        && tree.manager.content.tree.transactionWeight == 0
    )
    let after = try tree.keys()
    #expect(after == before)
    try tree.apply([sort("descending")])
    let sorted = try tree.keys()
    #expect(sorted != before && tree.manager.content.treeRevision == Revision(1))
  }

  @Test func `the rows that a view lists count`() throws {
    var tree = try makeTree(maxUndoBytes: 40_000)
    let session = try tree.open(#"{"expansion":"all"}"#)
    try tree.apply([#"{"op":"insert","key":"p"}"#])
    let keys = (0..<1_000).map { "\"\($0)\"" }.joined(separator: ",")
    tree.manager.content.limits.maxUndoBytes = .max
    try tree.apply([#"{"op":"move","keys":[\#(keys)],"parent":"p"}"#])
    tree.manager.content.limits.maxUndoBytes = 40_000
    let turns = Array(repeating: #"{"op":"toggle","key":"p"}"#, count: 8)
    try tree.apply(Array(turns.prefix(2)), by: session)
    // Rows that come and go within a batch are listed once.
    try tree.apply(turns, by: session)
    tree.manager.content.limits.maxUndoBytes = 10_000
    let before = tree.manager.content.rowCount(of: session)
    let refused = refusal { () throws(ServiceError) in
      try tree.apply(Array(turns.prefix(3)), by: session)
    }
    #expect(refused?.code == .contentTooLarge && refused?.operation == 0)
    let after = tree.manager.content.rowCount(of: session)
    #expect(after == before && tree.manager.content.tree.transactionWeight == 0)
  }

  @Test func `a filter that replaces too many rows is refused`() throws {
    var tree = try makeTree(maxUndoBytes: 10_000)
    let session = try tree.open()
    let body = #"{"filter":{"by":"","above":500}}"#
    let patch = try SessionPatch.decode(body: Array(body.utf8))
    let refused = refusal { () throws(ServiceError) in
      _ = try tree.manager.patch(session, patch, BatchOptions(), at: 0)
    }
    #expect(refused?.code == .contentTooLarge && refused?.limit == 10_000)
    #expect(session.options.filter == nil && session.revision == Revision(0))
    let count = tree.manager.content.rowCount(of: session)
    #expect(count == 1_000)
    tree.manager.content.limits.maxUndoBytes = 100_000
    _ = try tree.manager.patch(session, patch, BatchOptions(), at: 0)
    let filtered = tree.manager.content.rowCount(of: session)
    #expect(filtered == 499 && tree.manager.content.tree.transactionWeight == 0)
    // The rows and members of the old filter are kept until the new one replaces it.
    tree.manager.content.limits.maxUndoBytes = 10_000
    let clear = try SessionPatch.decode(body: Array(#"{"filter":null}"#.utf8))
    let again = refusal { () throws(ServiceError) in
      _ = try tree.manager.patch(session, clear, BatchOptions(), at: 0)
    }
    #expect(again?.code == .contentTooLarge && session.options.filter != nil)
  }

  @Test func `an import whose undo needs too much memory is refused`() throws {
    var tree = try makeTree(maxUndoBytes: 3_000)
    var decoder = ImportDecoder()
    for number in 0..<1_000 { try decoder.feed(Array("{\"key\":\"n\(number)\"}\n".utf8)) }
    let nodes = try ImportForest(try decoder.finish()) { _ in }
    let refused = refusal { () throws(ServiceError) in
      _ = try tree.manager.importNodes(nodes, BatchOptions(), at: 0)
    }
    #expect(refused?.code == .contentTooLarge && refused?.limit == 3_000)
    #expect(tree.manager.nodeCount == 1_000 && tree.manager.content.treeRevision == Revision(0))
    tree.manager.content.limits.maxUndoBytes = 100_000
    _ = try tree.manager.importNodes(nodes, BatchOptions(), at: 0)
    #expect(tree.manager.nodeCount == 2_000)
  }

  @Test func `few changes count few bytes`() throws {
    var tree = try makeTree(maxUndoBytes: 4_000)
    try tree.apply([#"{"op":"update","key":"1","object":1}"#, #"{"op":"remove","key":"2"}"#])
    let refused = refusal { () throws(ServiceError) in try tree.apply([sort("ascending")]) }
    #expect(refused?.code == .contentTooLarge && refused?.operation == 0)
  }
}
