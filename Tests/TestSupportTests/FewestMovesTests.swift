import Testing

@testable import TestSupport

/// Tests that the law finds unnecessary moves when siblings are reordered.
struct FewestMovesTests {
  /// Returns the violations of a list that moves the given keys, after a change of a session.
  private func violations(
    of roots: String,
    moving keys: String,
    _ change: (ModelSession) throws -> ModelOutcome
  ) throws -> [String] {
    var options = ModelSessionOptions()
    options.nodes = roots.map { ModelNestedNode(ModelKey(String($0))) }
    return try violations(of: options, moving: keys, change)
  }

  private func violations(
    of options: ModelSessionOptions,
    moving keys: String,
    _ change: (ModelSession) throws -> ModelOutcome
  ) throws -> [String] {
    let session = try ModelSession(options)
    let before = session.picture
    let outcome = try change(session)
    var list = ChangeList()
    for row in session.rows where keys.contains(row.key.description) {
      let old = before.rows.first { $0.key == row.key }
      var entry = ChangeList.Entry(.move, index: old?.index, newIndex: row.index)
      entry.key = row.key
      entry.depth = row.depth
      entry.parent = try RawJSON(parsing: JSONText.key(row.parent))
      list.entries.append(entry)
    }
    return ChangeListLaw.violations(
      before: before,
      after: session.picture,
      list: list,
      moves: outcome.moves
    )
  }

  @Test func `a sort moves the fewest siblings`() throws {
    let sort = ModelOperation.sort(.everywhere, by: [ModelSort(by: "#key")])
    for moving in ["ab", "e"] {
      let found = try violations(of: "cdeab", moving: moving) { try $0.apply([sort]) }
      #expect(found.isEmpty == (moving == "ab"), "\(moving): \(found)")
    }
    let found = try violations(of: "cdeab", moving: "cde") { try $0.apply([sort]) }
    #expect(found == ["3 siblings of a move, though 2 would do"])
  }

  @Test func `children set in another order move the fewest siblings`() throws {
    let given = "cabd".map { ModelNestedNode(ModelKey(String($0))) }
    let operation = ModelOperation.setChildren(.roots(section: nil), .nodes(given))
    #expect(try violations(of: "abcd", moving: "c") { try $0.apply([operation]) } == [])
    let found = try violations(of: "abcd", moving: "ab") { try $0.apply([operation]) }
    #expect(found == ["2 siblings of c move, though 1 would do"])
  }

  @Test func `under a filter the fewest of all siblings move, including hidden ones`() throws {
    var options = ModelSessionOptions()
    options.nodes = "cxab".map { ModelNestedNode(ModelKey(String($0))) }
    options.filter = .not(.value(by: "#key", .equals, operand: #""x""#, caseSensitive: true))
    // Two siblings must move: these, or those before them, one of which is hidden.
    let given = "abcx".map { ModelNestedNode(ModelKey(String($0))) }
    let operation = ModelOperation.setChildren(.roots(section: nil), .nodes(given))
    for moving in ["c", "ab"] {
      #expect(try violations(of: options, moving: moving) { try $0.apply([operation]) } == [])
    }
    let found = try violations(of: options, moving: "abc") { try $0.apply([operation]) }
    #expect(!found.isEmpty)
  }

  @Test func `a child moved to a reinserted node has a new parent`() throws {
    var options = ModelSessionOptions()
    let child = ModelNestedNode("x")
    options.nodes = [
      ModelNestedNode("p", children: .loaded([child, ModelNestedNode("y")])), ModelNestedNode("q"),
    ]
    let session = try ModelSession(options)
    let before = session.picture.rows
    _ = try session.apply([
      .move(["x"], parent: nil, place: .unspecified), .remove("p"),
      .insert(ModelNestedNode("p"), parent: nil, place: .first),
      .move(["x"], parent: "p", place: .first), .expand("p", levels: .count(1)),
    ])
    let after = session.picture.rows
    #expect(after.map(\.key) == ["p", "x", "q"])
    let staying = FewestMoves(before: before, after: after).staying
    #expect(staying == Set(before.filter { $0.key == "q" }.map(\.identity)))
  }

  @Test func `the node that an operation moved has the move`() throws {
    let move = ModelOperation.move(["a"], parent: nil, place: .unspecified)
    #expect(try violations(of: "abc", moving: "a") { try $0.apply([move]) } == [])
    let found = try violations(of: "abc", moving: "bc") { try $0.apply([move]) }
    #expect(found.contains("b has a move, but only shifted"))
  }

  @Test func `of siblings that were hidden meanwhile only the moved one has a move`() throws {
    var options = ModelSessionOptions()
    options.nodes = [
      ModelNestedNode("p", children: .loaded("abc".map { ModelNestedNode(ModelKey(String($0))) }))
    ]
    let move = ModelOperation.move(["a"], parent: "p", place: .after("b"))
    for batch in [[move], [.collapseAll, move, .expandAll], [.collapseAll, .expandAll, move]] {
      for (moving, isRight) in [("a", true), ("b", false), ("bc", false)] {
        let found = try violations(of: options, moving: moving) { try $0.apply(batch) }
        #expect(found.isEmpty == isRight, "\(moving): \(found)")
      }
    }
  }
}
