import Testing
import TreeDomain
import TreeSessions

/// Checks the index that a reveal returns, and its refusal by a filter.
struct RevealTests {
  private let filtered = #"""
    {"expansion":"none","filter":{"by":"/n","equals":1},"nodes":[{"key":"a","children":[
    {"key":"b","object":{"n":1}},{"key":"c","object":{"n":2}}]},
    {"key":"d","children":[{"key":"e"}]}]}
    """#

  private func index(_ session: StoreUnderTest, _ operations: String...) throws -> String? {
    let answer = try session.apply(operations.joined(separator: ","))
    let text = StoreUnderTest.json(answer)
    guard let start = text.firstRange(of: #","index":"#),
      start.lowerBound < text.firstRange(
        of: #""format""#
      )?.lowerBound ?? text.startIndex
    else { return nil }
    return String(text[start.upperBound...].prefix { $0 != "," })
  }

  @Test func `a reveal of a node that the filter hides is refused, and nothing changes`() throws {
    let session = try StoreUnderTest(filtered)
    let rows = try session.rows()
    for operation in [
      #"{"op":"reveal","key":"c"}"#, #"{"op":"reveal","keys":["b","e"]}"#,
      #"{"op":"collapseAll"},{"op":"reveal","key":"d","select":true}"#,
    ] {
      let error = refusal { () throws(ServiceError) in try session.apply(operation) }
      #expect(error?.code == .hiddenByFilter)
      #expect(["c", "e", "d"].contains(error?.key))
      #expect(try session.rows() == rows)
    }
    #expect(try index(session, #"{"op":"reveal","key":"a"}"#) == "0", "an ancestor of a match")
  }

  @Test func `a reveal sees the changes before it in the batch`() throws {
    let session = try StoreUnderTest(filtered)
    let match = #"{"op":"update","key":"e","object":{"n":1}}"#
    let mismatch = #"{"op":"update","key":"b","object":{"n":2}}"#
    #expect(try index(session, match, #"{"op":"reveal","key":"d"}"#) == "2")
    let error = refusal { () throws(ServiceError) in
      try session.apply(mismatch, #"{"op":"reveal","key":"a"}"#)
    }
    #expect(error?.code == .hiddenByFilter && error?.operation == 1)
    let moved = #"{"op":"move","key":"e","parent":"a"}"#
    #expect(try index(session, moved, #"{"op":"reveal","key":"e"}"#) == "2")
    let inserted = #"{"op":"insert","key":"f","parent":"c","object":{"n":1}}"#
    #expect(try index(session, inserted, #"{"op":"reveal","keys":["f","b"]}"#) == "3")
  }

  @Test func `the index is that of the first key of the last reveal`() throws {
    let session = try StoreUnderTest(
      #"{"expansion":"none","nodes":[{"key":"a","children":[{"key":"b"},{"key":"c"}]},"#
        + #"{"key":"d"}]}"#
    )
    #expect(try index(session, #"{"op":"expandAll"}"#) == nil)
    #expect(try index(session, #"{"op":"reveal","keys":["d","b"]}"#) == "3")
    #expect(
      try index(session, #"{"op":"reveal","key":"d"}"#, #"{"op":"reveal","key":"c"}"#) == "2"
    )
    #expect(
      try index(session, #"{"op":"reveal","key":"c"}"#, #"{"op":"collapse","key":"a"}"#) == "null"
    )
    #expect(
      try index(session, #"{"op":"reveal","key":"c"}"#, #"{"op":"remove","key":"c"}"#) == "null"
    )
  }
}
