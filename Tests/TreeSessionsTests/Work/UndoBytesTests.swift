import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// The memory that undoing a request takes is limited.
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

  @Test func `many sorts of the same siblings are refused, and leave nothing behind`() throws {
    var tree = try makeTree(maxUndoBytes: 300_000)
    let before = try tree.keys()
    let sorts = (0..<20).map { sort($0 % 2 == 0 ? "ascending" : "descending") }
    let refused = refusal { () throws(ServiceError) in try tree.apply(sorts) }
    #expect(refused?.code == .contentTooLarge && refused?.limit == 300_000)
    #expect((2...10).contains(refused?.operation ?? 0))
    #expect(tree.manager.treeRevision == Revision(0) && tree.manager.tree.transactionWeight == 0)
    let after = try tree.keys()
    #expect(after == before)
    try tree.apply([sort("descending")])
    let sorted = try tree.keys()
    #expect(sorted != before && tree.manager.treeRevision == Revision(1))
  }

  @Test func `few changes weigh little`() throws {
    var tree = try makeTree(maxUndoBytes: 4_000)
    try tree.apply([#"{"op":"update","key":"1","object":1}"#, #"{"op":"remove","key":"2"}"#])
    let refused = refusal { () throws(ServiceError) in try tree.apply([sort("ascending")]) }
    #expect(refused?.code == .contentTooLarge && refused?.operation == 0)
  }
}
