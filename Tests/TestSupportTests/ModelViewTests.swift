import Testing

@testable import TestSupport

/// Tests of the model with filters, selections, accordions and options.
struct ModelViewTests {
  /// Creates a session of the tree a(b(c, d), e), f. The object of a node is its key, doubled for d
  /// and f.
  private func session(
    _ configure: (inout ModelSessionOptions) -> Void = { _ in }
  ) throws
    -> ModelSession
  {
    var options = ModelSessionOptions()
    let b = node("b", .loaded([node("c"), node("d")]))
    options.nodes = [node("a", .loaded([b, node("e")])), node("f")]
    configure(&options)
    return try ModelSession(options)
  }

  private func node(_ key: String, _ children: ModelNestedNode.Children = .leaf) -> ModelNestedNode
  {
    let text = ["d", "f"].contains(key) ? key + key : key
    return ModelNestedNode(
      ModelKey(key),
      object: RawJSON(kind: .string(Array(text.utf8)), bytes: JSONText.string(text)),
      children: children
    )
  }

  private func keys(_ session: ModelSession) -> String {
    session.rows.map(\.key.description).joined()
  }

  private func patch(_ session: ModelSession, _ change: (inout ModelPatch) -> Void) {
    var patch = ModelPatch()
    change(&patch)
    session.patch(patch)
  }

  private static let doubled = ModelFilter.value(
    by: "",
    .matches,
    operand: "\"??\"",
    caseSensitive: false
  )

  @Test func `a filter shows matches and their ancestors, all expanded`() throws {
    let session = try session { $0.rule = .none }
    patch(session) { $0.filter = .some(Self.doubled) }
    #expect(keys(session) == "abdf")
    #expect(session.rows.map(\.matched) == [false, false, true, true])
    #expect(session.row(of: "c")?.index == nil && session.row(of: "c")?.matched == false)
    #expect(session.row(of: "d")?.position == 0 && session.row(of: "d")?.siblingCount == 1)
    #expect(session.row(of: "c")?.siblingCount == 2 && session.row(of: "a")?.childCount == 2)
    #expect(session.row(of: "a")?.visibleDescendantCount == 2)
    try session.apply([.collapse("b", levels: .count(1))])
    #expect(keys(session) == "abf")
    patch(session) { $0.filter = .some(nil) }
    #expect(keys(session) == "af" && session.row(of: "a")?.matched == nil)
  }

  @Test func `an update makes a node match or stop matching`() throws {
    let session = try session { $0.filter = Self.doubled }
    try session.apply([.update("c", object: .null), .update("d", object: .null)])
    #expect(keys(session) == "f")
    try session.apply([.update("e", object: RawJSON(parsing: "\"xy\""))])
    #expect(keys(session) == "aef")
  }

  @Test(arguments: [
    (ModelFilter.Test.contains, "\"AN\"", "\"banana\"", true),
    (.contains, "\"3\"", "12.30", true), (.startsWith, "\"an\"", "\"banana\"", false),
    (.matches, "\"[!b]*\"", "\"banana\"", false), (.matches, "\"b?n*[x-z]\"", "\"BINZZ\"", true),
    (.matches, "\"\\\\*\"", "\"*\"", true), (.matches, "\"*\"", "null", false),
    (.equals, "1", "1.00", true),
    (.equals, "[1,{\"a\":2,\"b\":1}]", "[1,{\"b\":1.0,\"a\":2}]", true),
    (.equals, "null", "null", true), (.equals, "1", "\"1\"", false), (.above, "1", "1", false),
    (.above, "\"b\"", "\"C\"", true), (.below, "\"b\"", "1", false), (.below, "2", "1e0", true),
  ])
  func `a predicate holds`(
    _ test: ModelFilter.Test,
    _ operand: String,
    _ value: String,
    _ holds: Bool
  )
    throws
  {
    let filter = ModelFilter.value(by: "/v", test, operand: operand, caseSensitive: false)
    let object = try RawJSON(parsing: "{\"v\":\(value)}")
    let node = ModelNode(identity: 1, key: "k", object: object, childState: .leaf)
    #expect(filter.matches(node) == holds)
    #expect(ModelFilter.not(filter).matches(node) != holds)
    #expect(ModelFilter(try RawJSON(parsing: filter.json)) == filter)
  }

  @Test func `a missing value matches nothing, an empty all matches, and an empty any does not`()
    throws
  {
    let node = ModelNode(identity: 1, key: "k", object: .null, childState: .leaf)
    let filter = ModelFilter.value(by: "/v", .equals, operand: "null", caseSensitive: true)
    #expect(!filter.matches(node) && ModelFilter.not(filter).matches(node))
    #expect(ModelFilter.all([]).matches(node) && !ModelFilter.any([]).matches(node))
  }

  @Test func `the selection mode limits the number of selected nodes`() throws {
    let session = try session { $0.selection = .single }
    try session.apply([.select(.keys(["a"])), .select(.subtree("c"))])
    #expect(session.selectedCount == 1 && session.row(of: "c")?.selected == true)
    #expect(throws: ModelError(code: .selectionMode, operation: 0)) {
      try session.apply([.select(.subtree("b"))])
    }
    patch(session) { $0.selection = .multiple }
    try session.apply([.select(.subtree("a")), .deselect(.keys(["e"])), .remove("d")])
    #expect(session.selectedCount == 3)
    patch(session) { $0.selection = .single }
    #expect(session.selectedCount == 0)
  }

  @Test func `an accordion expands one sibling`() throws {
    let session = try session {
      $0.rule = .none
      $0.isAccordion = true
    }
    try session.apply([
      .setChildren(.node("e"), .nodes([node("x")])), .setChildren(.node("f"), .nodes([node("y")])),
    ])
    try session.apply([.expand("a", levels: .count(2))])
    #expect(keys(session) == "abcdexf")
    try session.apply([.reveal(["x"])])
    #expect(keys(session) == "abcdexf")
    try session.apply([.collapse("e", levels: .count(1)), .toggle("e", levels: .count(1))])
    #expect(keys(session) == "abexf")
    try session.apply([.reveal(["c", "y"])])
    #expect(keys(session) == "afy" && session.row(of: "b")?.expanded == true)
  }

  @Test func `a restored state shows the same rows`() throws {
    let session = try session { $0.filter = Self.doubled }
    try session.apply([.collapse("b", levels: .count(1)), .select(.keys(["e", "a"]))])
    let twin = try ModelSession(ModelSessionOptions(), over: session.shared)
    twin.restore(try RawJSON(parsing: JSONText.object(session.stateMembers)))
    #expect(twin.rows.map { $0.json() } == session.rows.map { $0.json() })
  }

  @Test func `sessions of one tree see each other's changes in their own rows`() throws {
    let session = try session()
    var options = ModelSessionOptions()
    options.rule = .none
    let other = try ModelSession(options, over: session.shared)
    try session.apply([.collapseAll])
    #expect(session.revision == 1 && other.revision == 0 && session.shared.revision == 0)
    try session.apply([.remove("e")])
    #expect(session.revision == 2 && other.revision == 1 && session.shared.revision == 1)
    #expect(keys(other) == "af" && other.picture(at: 0).rows[0].childCount == 2)
  }

  @Test func `search ignores case and finds hidden nodes`() throws {
    let session = try session { $0.rule = .none }
    #expect(session.search("DD", by: nil).map(\.key) == ["d"])
    #expect(session.search("a", by: "#key").map(\.index) == [0])
    #expect(session.search("c", by: "").map(\.index) == [nil])
  }
}
