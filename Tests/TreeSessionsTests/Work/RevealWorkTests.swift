import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Checks that the work of a reveal depends on the nodes that it expands, not on the depth.
@Suite struct RevealWorkTests {
  /// Creates a chain of nodes with `0` as its root.
  private func chain(_ count: Int) throws -> MeteredTree {
    var tree = try MeteredTree(#"{"nodes":[{"key":"0"}]}"#)
    try tree.apply(
      (1..<count).map { #"{"op":"insert","key":"\#($0)","parent":"\#($0 - 1)"}"# }
    )
    return tree
  }

  @Test(arguments: [
    #"{"expansion":"none"}"#, #"{"expansion":"none","accordion":true}"#, #"{"expansion":7}"#,
    ##"{"filter":{"by":"#key","contains":""},"expansion":"none"}"##,
  ])
  func `the reveals of all nodes of a chain take near-linear work`(options: String) throws {
    func steps(_ count: Int) throws -> Int {
      var tree = try chain(count)
      let session = try tree.open(options)
      let reveals = (0..<count).map { #"{"op":"reveal","key":"\#($0 * 7_919 % count)"}"# }
      return try tree.apply(reveals, by: session)
    }
    let (few, many) = (try steps(500), try steps(1_000))
    #expect(many < 3 * few && few > 500, "\(few) \(many)")
  }

  @Test func `a reveal that expands one node far above visits few others`() throws {
    func steps(_ count: Int) throws -> Int {
      var tree = try chain(count)
      let session = try tree.open(#"{"expansion":"all"}"#)
      try tree.apply([#"{"op":"collapse","key":"0"}"#], by: session)
      // A list of the new rows would take a step for each.
      let reveal = #"{"op":"reveal","key":"\#(count - 1)"}"#
      let steps = try tree.apply([reveal], by: session, format: .none)
      #expect(tree.manager.content.rowCount(of: session) == count)
      return steps
    }
    let (few, many) = (try steps(500), try steps(2_000))
    #expect(many < few + 20, "\(few) \(many)")
  }
}
