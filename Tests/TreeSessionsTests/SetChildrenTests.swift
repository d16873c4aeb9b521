import Testing
import TreeDomain
import TreeEngine
import TreeSessions

struct SetChildrenTests {
  @Test func `kept children stay the same nodes, and as few rows as possible move`() throws {
    let session = try StoreUnderTest(
      #"""
      {"expansion":"none","expandedKeys":["a","b"],"nodes":[{"key":"a","children":[
      {"key":"b","children":[{"key":"c"}]},{"key":"d"},{"key":"e"}]}]}
      """#
    )
    let answer = try session.apply(
      #"""
      {"op":"setChildren","key":"a","children":[{"key":"d"},{"key":"e"},{"key":"f"},
      {"key":"b","children":[{"key":"g"},{"key":"c"}]}]}
      """#
    )
    #expect(try session.keys() == ["a", "d", "e", "f", "b", "g", "c"])
    let moves = answer.changes.filter { if case .move = $0.kind { true } else { false } }
    #expect(moves.count == 2, "b and what is below it")
  }

  @Test func `a kept node moves to another parent, out of a removed one`() throws {
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"a","children":[{"key":"b","children":[{"key":"c"}]}]}]}"#
    )
    let answer = try session.apply(
      #"{"op":"setChildren","key":"a","children":[{"key":"c"}]}"#
    )
    #expect(try session.keys() == ["a", "c"])
    #expect(answer.nodeCount == 2)
    let kinds = answer.changes.map(\.kind)
    #expect(kinds.contains(.delete(index: 1)) && kinds.contains(.move(index: 2, newIndex: 1)))
  }

  @Test func `only the final depth of nodes counts`() throws {
    var limits = SessionLimits()
    limits.maxDepth = 2
    let body = #"""
      {"nodes":[{"key":"a","children":[{"key":"b","children":[{"key":"c"}]},{"key":"d"}]}]}
      """#
    func outcome(_ below: String) throws -> (refusal: ServiceError?, keys: [String]) {
      let session = try StoreUnderTest(body, limits: limits)
      let refused = refusal { () throws(ServiceError) in
        try session.apply(
          #"{"op":"setChildren","key":"a","children":[{"key":"d","children":[\#(below)]}]}"#
        )
      }
      return (refused, try session.keys())
    }
    // During the operation c is below b, which is below d.
    let gone = try outcome(#"{"key":"b"}"#)
    #expect(gone.refusal == nil && gone.keys == ["a", "d", "b"])
    // Children that the operation gives to a kept node count, too.
    for below in [
      #"{"key":"b","children":"unloaded"}"#, #"{"key":"b","children":[{"key":"c"}]}"#,
      #"{"key":"x","children":[{"key":"y"}]}"#,
    ] {
      let deep = try outcome(below)
      #expect(deep.refusal?.code == .depthLimit && deep.refusal?.limit == 2)
      #expect(deep.keys == ["a", "b", "c", "d"])
    }
  }

  @Test func `only the final number of nodes counts`() throws {
    var limits = SessionLimits()
    limits.maxNodesPerTree = 3
    let body = #"{"nodes":[{"key":"a","children":[{"key":"b"},{"key":"c"}]}]}"#
    let session = try StoreUnderTest(body, limits: limits)
    try session.apply(
      #"{"op":"setChildren","key":"a","children":[{"key":"d"},{"key":"e"}]}"#
    )
    #expect(try session.keys() == ["a", "d", "e"])
    let many = refusal { () throws(ServiceError) in
      try session.apply(
        #"{"op":"setChildren","key":null,"children":[{"key":"d","children":[{"key":"f"}]},"#
          + #"{"key":"g"},{"key":"h"}]}"#
      )
    }
    #expect(many?.code == .contentTooLarge && many?.limit == 3)
    #expect(try session.keys() == ["a", "d", "e"])
  }

  @Test func `each state of children can be set`() throws {
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a","children":"unloaded"}]}"#)
    try session.apply(#"{"op":"setChildren","key":"a","children":"loading"}"#)
    #expect(try session.rows().contains(#""childState":"loading","childCount":null"#))
    try session.apply(#"{"op":"setChildren","key":"a","children":[]}"#)
    #expect(try session.rows().contains(#""childState":"loaded","childCount":0"#))
    try session.apply(#"{"op":"setChildren","key":"a","children":null}"#)
    #expect(try session.rows().contains(#""childState":"leaf","childCount":0"#))
    try session.apply(
      #"{"op":"setChildren","key":"a","children":"unloaded","childCount":7}"#
    )
    #expect(try session.rows().contains(#""childState":"unloaded","childCount":7"#))
    try session.apply(#"{"op":"setChildren","key":"a","children":"failed"}"#)
    #expect(try session.rows().contains(#""childState":"failed","childCount":7"#))
    try session.apply(
      #"{"op":"setChildren","key":"a","children":[]}"#,
      #"{"op":"setChildren","key":"a","children":"failed"}"#
    )
    #expect(try session.rows().contains(#""childState":"failed","childCount":null"#))
    try session.apply(#"{"op":"setChildren","key":"a","children":"unloaded"}"#)
    #expect(try session.rows().contains(#""childState":"unloaded","childCount":null"#))
  }

  @Test func `a kept node given as unloaded keeps its children; an ancestor cannot be a child`()
    throws
  {
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"a","children":[{"key":"b","children":[{"key":"c"}]}]}]}"#
    )
    let same = try session.apply(
      #"{"op":"setChildren","key":"a","children":[{"key":"b","children":"unloaded"}]}"#
    )
    #expect(same.changes.isEmpty && same.revision == Revision(0))
    for key in ["a", "b"] {
      let cycle = refusal { () throws(ServiceError) in
        try session.apply(#"{"op":"setChildren","key":"b","children":[{"key":"\#(key)"}]}"#)
      }
      #expect(cycle?.code == .cycle && cycle?.key == key)
    }
    let twice = refusal { () throws(ServiceError) in
      try session.apply(#"{"op":"setChildren","children":[{"key":"x"},{"key":"x"}]}"#)
    }
    #expect(twice?.code == .duplicateKey)
  }

  @Test func `a node given as unloaded keeps its state if its children move away`() throws {
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"a","children":[{"key":"b","children":[{"key":"c"}]}]}]}"#
    )
    try session.apply(#"{"op":"setChildren","key":"b","children":"loading"}"#)
    let b = #"{"key":"b","children":"unloaded"}"#
    try session.apply(#"{"op":"setChildren","key":"a","children":[\#(b),{"key":"c"}]}"#)
    #expect(try session.keys() == ["a", "b", "c"])
    #expect(try session.rows().contains(#""childState":"loading""#))
  }

  @Test func `the roots are replaced as a difference`() throws {
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"a"},{"key":"b"},{"key":"c"},{"key":"d"}]}"#
    )
    let answer = try session.apply(
      #"{"op":"setChildren","children":[{"key":"d"},{"key":"a"},{"key":"c","object":1}]}"#
    )
    #expect(
      answer.changes.map(\.kind) == [
        .delete(index: 1), .move(index: 3, newIndex: 0), .update(index: 2, newIndex: 2, .object),
      ]
    )
  }
}
