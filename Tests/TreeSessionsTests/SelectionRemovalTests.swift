import Testing
import TreeDomain

@testable import TreeSessions

/// Checks the removal of several nodes in one operation.
struct SelectionRemovalTests {
  private let nested = #"""
    {"nodes":[{"key":"a","children":[{"key":"b","children":[{"key":"c"}]},{"key":"d"}]},
    {"key":"e"}]}
    """#

  @Test(arguments: [#"["a","b","c"]"#, #"["c","b","a"]"#, #"["b","a"]"#, #"["c","d","a"]"#])
  func `descendants of listed nodes are removed with them, in any order`(keys: String) throws {
    let session = try StoreUnderTest(nested)
    let answer = try session.apply(#"{"op":"remove","keys":\#(keys)}"#)
    #expect(try session.keys() == ["e"])
    #expect(answer.changes.count == 4 && answer.nodeCount == 1)
  }

  @Test func `an unknown key is refused with its name, and nothing is removed`() throws {
    let session = try StoreUnderTest(nested)
    let error = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"remove","keys":["a","nobody"]}"#)
    }
    #expect(error?.code == .nodeNotFound && error?.key == "nobody")
    #expect(try session.keys() == ["a", "b", "c", "d", "e"])
    let gone = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"remove","key":"a"}"#, #"{"op":"remove","keys":["b"]}"#)
    }
    #expect(gone?.code == .nodeNotFound && gone?.operation == 1)
  }

  @Test(arguments: [true, false])
  func `listed nodes below each other count once as work`(isTopDown: Bool) throws {
    let chain = (1...60).map { #"{"key":"k\#($0)","children":["# }.joined()
    let text = #"{"nodes":[\#(chain)\#(String(repeating: "]}", count: 60)),{"key":"z"}]}"#
    var tree = try MeteredTree(text)
    let names = isTopDown ? Array(1...60) : (1...60).reversed()
    let keys = names.map { #""k\#($0)""# }.joined(separator: ",")
    let steps = try tree.apply([#"{"op":"remove","keys":[\#(keys)]}"#])
    let left = try tree.keys()
    #expect(left == ["z"] && (60...1_500).contains(steps))
  }
}
