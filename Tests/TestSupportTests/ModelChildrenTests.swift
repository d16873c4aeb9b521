import Testing

@testable import TestSupport

/// Tests of the model with `setChildren`, counts and `sort`.
struct ModelChildrenTests {
  /// Creates a session of the tree a(b(c, d), e), f.
  private func session(sort: [ModelSort] = []) throws -> ModelSession {
    var options = ModelSessionOptions()
    options.sort = sort
    let b = ModelNestedNode("b", children: .loaded([ModelNestedNode("c"), ModelNestedNode("d")]))
    options.nodes = [
      ModelNestedNode("a", children: .loaded([b, ModelNestedNode("e")])), ModelNestedNode("f"),
    ]
    return try ModelSession(options)
  }

  private func keys(_ session: ModelSession) -> String {
    session.rows.map(\.key.description).joined()
  }

  private func node(_ key: String, _ children: ModelNestedNode.Children) -> ModelNestedNode {
    ModelNestedNode(ModelKey(key), children: children)
  }

  private func leaves(_ keys: String) -> [ModelNestedNode] {
    keys.map { ModelNestedNode(ModelKey(String($0))) }
  }

  @Test func `the given children replace the old ones`() throws {
    let session = try session()
    let given = [node("e", .loaded(leaves("d"))), node("g", .leaf)]
    try session.apply([.setChildren(.node("a"), .nodes(given))])
    #expect(keys(session) == "aedgf" && session.row(of: "c") == nil)
  }

  @Test func `a kept node keeps its identity, its expansion and its selection`() throws {
    let session = try session()
    let old = session.row(of: "b")?.identity
    try session.apply([.select(.keys(["b"])), .collapse("b", levels: .count(1))])
    try session.apply([.setChildren(.node("f"), .nodes([node("b", .unloaded)]))])
    let row = try #require(session.row(of: "b"))
    #expect(row.identity == old && row.selected && !row.expanded && row.parent == "f")
    #expect(row.childState == "loaded" && row.childCount == 2)
    #expect(session.row(of: "a")?.childCount == 1)
  }

  @Test func `a kept node keeps its children, except those given elsewhere`() throws {
    let session = try session()
    let given = [node("c", .leaf), node("b", .unloaded)]
    try session.apply([.setChildren(.node("a"), .nodes(given))])
    #expect(keys(session) == "acbdf")
    try session.apply([.setChildren(.node("a"), .nodes([node("d", .leaf), node("b", .unloaded)]))])
    #expect(keys(session) == "adbf" && session.row(of: "b")?.childState == "loaded")
  }

  @Test func `a node may become a descendant of its former descendant`() throws {
    let session = try session()
    let given = [node("c", .loaded([node("b", .loaded(leaves("d")))]))]
    try session.apply([.setChildren(.node("a"), .nodes(given))])
    #expect(keys(session) == "acbdf")
  }

  @Test func `an empty list makes a node loaded, null a leaf, and a word sets the state`()
    throws
  {
    let session = try session()
    for (children, state, count) in [
      (ModelNewChildren.state(.loading, hint: nil), "loading", 2),
      (.state(.failed, hint: nil), "failed", 2), (.nodes([]), "loaded", 0),
      (.state(.unloaded, hint: 7), "unloaded", 7), (.state(.loading, hint: nil), "loading", 7),
      (.nodes([]), "loaded", 0), (.state(.failed, hint: nil), "failed", nil),
      (.state(.unloaded, hint: nil), "unloaded", nil), (.none, "leaf", 0),
    ] as [(ModelNewChildren, String, Int?)] {
      try session.apply([.setChildren(.node("b"), children)])
      let row = try #require(session.row(of: "b"))
      #expect(
        row.childState == state && row.childCount == count && row.expanded == (state != "leaf")
      )
    }
  }

  @Test func `a node that becomes a leaf loses its collapsed state`() throws {
    let session = try session()
    try session.apply([.collapse("b", levels: .count(1)), .setChildren(.node("b"), .none)])
    try session.apply([.setChildren(.node("b"), .nodes(leaves("x")))])
    #expect(keys(session) == "abxef")
  }

  @Test func `the same children again change nothing`() throws {
    let session = try session()
    let b = node("b", .loaded(leaves("cd")))
    try session.apply([.setChildren(.node("a"), .nodes([b, node("e", .leaf)]))])
    #expect(session.revision == 0)
  }

  @Test func `given children are sorted by the sort of the tree`() throws {
    let session = try session(sort: [ModelSort(by: "#key", descending: true)])
    try session.apply([.setChildren(.node("a"), .nodes(leaves("xzy")))])
    #expect(keys(session) == "fazyx")
  }

  @Test func `sort orders the siblings of its target`() throws {
    let down = [ModelSort(by: "#key", descending: true)]
    for (target, rows) in [
      (ModelSortTarget.children("b"), "abdcef"), (.roots(section: nil), "fabcde"),
      (.everywhere, "faebdc"),
    ] {
      let session = try session()
      try session.apply([.sort(target, by: down)])
      #expect(keys(session) == rows)
    }
  }

  @Test(arguments: [
    (ModelOperation.setChildren(.node("b"), .nodes([ModelNestedNode("a")])), ModelErrorCode.cycle),
    (.setChildren(.node("b"), .nodes([ModelNestedNode("b")])), .cycle),
    (
      .setChildren(.node("b"), .nodes([ModelNestedNode("x"), ModelNestedNode("x")])), .duplicateKey
    ),
    (.setChildren(.node("x"), .none), .nodeNotFound),
    (.setChildren(.roots(section: "x"), .none), .sectionNotFound),
    (.setChildren(.roots(section: nil), .state(.loading, hint: nil)), .invalidRequest),
  ])
  func `invalid children are refused`(_ operation: ModelOperation, _ code: ModelErrorCode) throws {
    let session = try session()
    #expect(throws: ModelError(code: code, operation: 0)) { try session.apply([operation]) }
  }
}
