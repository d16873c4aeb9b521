import Testing

@testable import TestSupport

/// Tests that the law accepts valid change lists and finds every kind of error.
struct ChangeListLawTests {
  /// Returns a session of the tree a(b(c), d), e, f.
  private static func session() throws -> ModelSession {
    var options = ModelSessionOptions()
    let b = ModelNestedNode("b", children: .loaded([ModelNestedNode("c")]))
    options.nodes = [
      ModelNestedNode("a", children: .loaded([b, ModelNestedNode("d")])), ModelNestedNode("e"),
      ModelNestedNode("f"),
    ]
    return try ModelSession(options)
  }

  /// Returns the violations of a change list for a batch.
  private func violations(
    of operations: [ModelOperation],
    _ changes: String,
    format: String = "rows"
  ) throws -> [String] {
    let session = try ChangeListLawTests.session()
    let before = session.rows
    let outcome = try session.apply(operations)
    let text = """
      {"session":"s","previousRevision":0,"revision":1,"treeRevision":1,"rowCount":0,
       "nodeCount":0,"format":"\(format)","changes":[\(changes)]}
      """
    return ChangeListLaw.violations(
      before: before,
      after: session.rows,
      list: try ChangeList(try RawJSON(parsing: text)),
      relocated: outcome.relocated
    )
  }

  private static let moveB = ModelOperation.move(["b"], parent: nil, place: .first)
  private static let movedB = """
    {"type":"move","key":"b","index":1,"newIndex":0,"depth":0,"parent":null},
    {"type":"move","key":"c","index":2,"newIndex":1,"depth":1,"parent":"b"},
    {"type":"update","key":"a","index":0,"newIndex":2,"fields":["childCount"]}
    """

  @Test func `the right list of a move has each row of the subtree`() throws {
    #expect(try violations(of: [Self.moveB], Self.movedB) == [])
  }

  @Test func `a subtree that keeps its index but not its depth has moved`() throws {
    let batch = [ModelOperation.move(["d"], parent: nil, place: .after("a"))]
    let update = #"{"type":"update","key":"a","index":0,"newIndex":0,"fields":["childCount"]}"#
    let move = #"{"type":"move","key":"d","index":3,"newIndex":3,"depth":0,"parent":null}"#
    #expect(try violations(of: batch, "\(move),\(update)") == [])
    #expect(
      try violations(of: batch, update) == ["d has another depth or parent, but no move"]
    )
  }

  @Test(arguments: [
    // a missing row of the subtree
    (
      """
      {"type":"move","key":"b","index":1,"newIndex":0,"depth":0,"parent":null},
      {"type":"update","key":"a","index":0,"newIndex":2,"fields":["childCount"]}
      """, "applied, the list does not give the new rows"
    ),
    // a move of the shifted row instead of the moved ones
    (
      """
      {"type":"move","key":"b","index":1,"newIndex":0,"depth":0,"parent":null},
      {"type":"move","key":"c","index":2,"newIndex":1,"depth":1,"parent":"b"},
      {"type":"move","key":"a","index":0,"newIndex":2,"depth":0,"parent":null},
      {"type":"update","key":"a","index":0,"newIndex":2,"fields":["childCount"]}
      """, "a has a move, but only shifted"
    ),
    // a delete and an insert for the same node
    (
      """
      {"type":"delete","key":"c","index":2},{"type":"delete","key":"b","index":1},
      {"type":"insert","key":"b","newIndex":0,"depth":0,"parent":null},
      {"type":"insert","key":"c","newIndex":1,"depth":1,"parent":"b"},
      {"type":"update","key":"a","index":0,"newIndex":2,"fields":["childCount"]}
      """, "a row has two structural entries"
    ),
    // a missing update, and an unnecessary one
    (
      """
      {"type":"move","key":"b","index":1,"newIndex":0,"depth":0,"parent":null},
      {"type":"move","key":"c","index":2,"newIndex":1,"depth":1,"parent":"b"}
      """, "row 0 (a) updates [], not [\"childCount\"]"
    ),
    (
      movedB + #",{"type":"update","key":"f","index":5,"newIndex":5,"fields":["object"]}"#,
      "row 5 (f) updates [\"object\"], not []"
    ),
    // out of order
    (
      """
      {"type":"move","key":"c","index":2,"newIndex":1,"depth":1,"parent":"b"},
      {"type":"move","key":"b","index":1,"newIndex":0,"depth":0,"parent":null},
      {"type":"update","key":"a","index":0,"newIndex":2,"fields":["childCount"]}
      """, "the moves are out of order"
    ),
    (
      """
      {"type":"update","key":"a","index":0,"newIndex":2,"fields":["childCount"]},
      {"type":"move","key":"b","index":1,"newIndex":0,"depth":0,"parent":null},
      {"type":"move","key":"c","index":2,"newIndex":1,"depth":1,"parent":"b"}
      """, "the kinds of entries are out of order"
    ),
    // wrong members
    (
      "{\"type\":\"move\",\"key\":\"b\",\"index\":1,\"newIndex\":0,\"depth\":1,\"parent\":null}",
      "entry 0 (move) has the wrong depth"
    ),
    (
      "{\"type\":\"move\",\"key\":\"b\",\"index\":1,\"newIndex\":0,\"depth\":0,\"parent\":\"a\"}",
      "entry 0 (move) has the wrong parent"
    ),
    (
      "{\"type\":\"move\",\"key\":\"b\",\"index\":1,\"newIndex\":0}",
      "entry 0 (move) lacks its depth or its parent"
    ),
    (
      "{\"type\":\"move\",\"key\":\"c\",\"index\":1,\"newIndex\":0,\"depth\":0,\"parent\":null}",
      "entry 0 (move) names the wrong key"
    ),
    ("{\"type\":\"delete\",\"key\":\"f\",\"index\":6}", "entry 0 (delete) is outside the old rows"),
  ])
  func `an error in the list of a move is found`(_ changes: String, _ finding: String) throws {
    let found = try violations(of: [Self.moveB], changes)
    #expect(found.contains(finding), "\(found)")
  }

  @Test func `a move that cancels itself has no entry`() throws {
    let there = ModelOperation.move(["f"], parent: nil, place: .first)
    let back = ModelOperation.move(["f"], parent: nil, place: .unspecified)
    let move = #"{"type":"move","key":"f","index":5,"newIndex":5,"depth":0,"parent":null}"#
    #expect(try violations(of: [there, back], "") == [])
    #expect(try violations(of: [there, back], move) == ["the move of f was not needed"])
  }

  @Test func `a removed and inserted key is a delete and an insert`() throws {
    let batch: [ModelOperation] = [
      .remove("f"), .insert(ModelNestedNode("f"), parent: nil, place: .unspecified),
    ]
    let both = """
      {"type":"delete","key":"f","index":5},
      {"type":"insert","key":"f","newIndex":5,"depth":0,"parent":null}
      """
    #expect(try violations(of: batch, both) == [])
    #expect(try violations(of: batch, "").contains("deletes are not what vanished"))
  }

  @Test func `ranges merge adjacent rows and no others`() throws {
    let batch = [ModelOperation.collapse("a", levels: .count(1))]
    let update = #"{"type":"update","key":"a","index":0,"newIndex":0,"fields":["expanded"]}"#
    let whole = #"{"type":"delete","index":1,"count":3},"# + update
    let split = #"{"type":"delete","index":2,"count":2},{"type":"delete","key":"b","index":1},"#
    #expect(try violations(of: batch, whole, format: "ranges") == [])
    #expect(
      try violations(of: batch, split + update, format: "ranges")
        == ["two neighbouring runs of delete are not merged"]
    )
    #expect(try violations(of: batch, whole) == ["entry 0 (delete) has a count"])
  }

  @Test func `an included row must equal the new row`() throws {
    let batch = [
      ModelOperation.update("f", object: .null),
      .insert(
        ModelNestedNode("g"),
        parent: nil,
        place: .unspecified
      ),
    ]
    func insert(_ childState: String) -> String {
      """
      {"type":"insert","key":"g","newIndex":6,"depth":0,"parent":null,"row":{"index":6,"key":"g",
       "parent":null,"depth":0,"position":3,"siblingCount":4,"expanded":false,
       "childState":"\(childState)","childCount":0,"visibleDescendantCount":0,"selected":false,
       "object":null}}
      """
    }
    #expect(try violations(of: batch, insert("leaf")) == [])
    #expect(try violations(of: batch, insert("loaded")).count == 1)
  }
}
