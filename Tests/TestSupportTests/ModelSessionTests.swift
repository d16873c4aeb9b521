import Testing

@testable import TestSupport

/// Tests of the model with private sessions.
struct ModelSessionTests {
  /// Creates a session of the tree a(b(c, d), e), f, by default all expanded.
  private func session(
    rule: ModelSessionOptions.Rule = .all,
    configure: (inout ModelSessionOptions) -> Void = { _ in }
  ) throws -> ModelSession {
    var options = ModelSessionOptions()
    options.rule = rule
    let b = ModelNestedNode(
      "b",
      children: .loaded([ModelNestedNode("c"), ModelNestedNode("d")])
    )
    options.nodes = [
      ModelNestedNode("a", children: .loaded([b, ModelNestedNode("e")])), ModelNestedNode("f"),
    ]
    configure(&options)
    return try ModelSession(options)
  }

  private func keys(_ session: ModelSession) -> String {
    session.rows.map(\.key.description).joined()
  }

  @Test(arguments: [
    (ModelSessionOptions.Rule.all, "abcdef"), (.none, "af"), (.depth(0), "af"),
    (.depth(1), "abef"), (.depth(2), "abcdef"),
  ])
  func `the rule determines the expanded nodes`(
    _ rule: ModelSessionOptions.Rule,
    _ rows: String
  ) throws {
    #expect(try keys(session(rule: rule)) == rows)
  }

  @Test func `the ancestors of expanded keys are expanded`() throws {
    let session = try session(rule: .none) { $0.expandedKeys = ["b"] }
    #expect(keys(session) == "abcdef")
  }

  @Test func `a row has all fields of the contract`() throws {
    let session = try session()
    try session.apply([.collapse("b", levels: .count(1))])
    let row = try #require(session.row(of: "b"))
    #expect(
      String(decoding: row.json(), as: UTF8.self) == """
        {"index":1,"key":"b","parent":"a","depth":1,"position":0,"siblingCount":2,\
        "expanded":false,"childState":"loaded","childCount":2,"visibleDescendantCount":0,\
        "selected":false,"object":null}
        """
    )
    #expect(session.row(of: "c")?.index == nil)
    #expect(session.row(of: "a")?.visibleDescendantCount == 2)
    #expect(session.ancestors(of: "c")?.map(\.key) == ["a", "b"])
    #expect(session.children(of: "b")?.map(\.key) == ["c", "d"])
  }

  @Test func `nested expansion survives a collapse unless it is to be forgotten`() throws {
    for (forgets, rows) in [(false, "abcdef"), (true, "abef")] {
      let session = try session { $0.forgetsNestedExpansion = forgets }
      try session.apply([.collapse("a", levels: .count(1)), .expand("a", levels: .count(1))])
      #expect(keys(session) == rows, "forgets: \(forgets)")
    }
    let session = try session()
    try session.apply([.collapse("a", levels: .all), .expand("a", levels: .count(1))])
    #expect(keys(session) == "abef")
  }

  @Test func `a leaf is never expanded and follows the rule once it has children`() throws {
    for (rule, rows) in [(ModelSessionOptions.Rule.all, "abcdefg"), (.none, "af")] {
      let session = try session(rule: rule)
      let outcome = try session.apply([.expand("f", levels: .all)])
      #expect(!outcome.stateTouched)
      try session.apply([.insert(ModelNestedNode("g"), parent: "f", place: .unspecified)])
      #expect(keys(session) == rows)
    }
  }

  @Test func `a node without its last child stays loaded`() throws {
    let session = try session()
    try session.apply([.move(["c", "d"], parent: nil, place: .first)])
    #expect(keys(session) == "cdabef")
    let row = try #require(session.row(of: "b"))
    #expect(row.childState == "loaded" && row.childCount == 0 && row.expanded)
  }

  @Test func `an unloaded node becomes loaded with its first child`() throws {
    let session = try session()
    try session.apply([
      .insert(ModelNestedNode("u", children: .unloaded), parent: nil, place: .first)
    ])
    #expect(session.row(of: "u")?.childState == "unloaded")
    #expect(session.row(of: "u")?.childCount == nil)
    try session.apply([.insert(ModelNestedNode("v"), parent: "u", place: .first)])
    #expect(session.row(of: "u")?.childState == "loaded")
    #expect(keys(session) == "uvabcdef")
  }

  @Test func `expandAll and collapseAll set the rule for later nodes`() throws {
    let session = try session()
    let outcome = try session.apply([.collapseAll])
    #expect(outcome.stateChanged && outcome.ruleChanged && !outcome.treeTouched)
    let child = ModelNestedNode("h")
    try session.apply([
      .insert(ModelNestedNode("g", children: .loaded([child])), parent: nil, place: .first),
      .reveal(["c"]),
    ])
    #expect(keys(session) == "gabcdef")
  }

  @Test(arguments: [
    (ModelPlace.unspecified, "bdex"), (.first, "xbde"), (.index(1), "bxde"), (.before("d"), "bxde"),
    (.after("d"), "bdxe"), (.sort([ModelSort(by: "#key")]), "bdex"),
    (.sort([ModelSort(by: "#key", descending: true)]), "xbde"), (.index(3), "bdex"),
  ])
  func `an inserted node has the given place`(_ place: ModelPlace, _ order: String) throws {
    let session = try session()
    try session.apply([.move(["d"], parent: "a", place: .after("b"))])
    try session.apply([.insert(ModelNestedNode("x"), parent: "a", place: place)])
    let children = session.children(of: "a") ?? []
    #expect(children.map(\.key.description).joined() == order)
  }

  @Test func `moved nodes are adjacent in the given order`() throws {
    let session = try session()
    try session.apply([.move(["f", "c", "b"], parent: "a", place: .index(1))])
    #expect(session.children(of: "a")?.map(\.key) == ["e", "f", "c", "b"])
    #expect(keys(session) == "aefcbd")
  }

  @Test func `a sorted tree places new nodes and moves updated ones`() throws {
    let session = try session { options in
      options.sort = [ModelSort(by: "/n", compare: .number)]
      options.nodes = []
    }
    for (key, number) in [("x", "2"), ("y", "1"), ("z", "1.0"), ("w", "1e400")] {
      let object = try RawJSON(parsing: "{\"n\":\(number)}")
      let node = ModelNestedNode(ModelKey(key), object: object)
      try session.apply([.insert(node, parent: nil, place: .unspecified)])
    }
    #expect(keys(session) == "yzxw")
    try session.apply([.merge("w", patch: RawJSON(parsing: #"{"n":1}"#))])
    #expect(keys(session) == "yzwx")
    try session.apply([.merge("y", patch: RawJSON(parsing: #"{"n":1,"t":0}"#))])
    #expect(keys(session) == "yzwx")
  }

  @Test func `a node that is removed and inserted again has a new identity`() throws {
    let session = try session()
    let old = session.row(of: "f")?.identity
    let outcome = try session.apply([
      .remove("f"), .insert(ModelNestedNode("f"), parent: nil, place: .unspecified),
    ])
    #expect(session.row(of: "f")?.identity != old)
    #expect(outcome.stateChanged)
  }

  @Test func `operations that cancel each other change nothing`() throws {
    let session = try session()
    let outcome = try session.apply([.toggle("a", levels: .all), .expand("a", levels: .all)])
    #expect(outcome.stateTouched && !outcome.stateChanged)
  }

  @Test(arguments: [
    (ModelOperation.remove("none"), ModelErrorCode.nodeNotFound),
    (.insert(ModelNestedNode("f"), parent: "none", place: .before("c")), .parentNotFound),
    (.insert(ModelNestedNode("f"), parent: nil, place: .index(9)), .duplicateKey),
    (.move(["e", "a"], parent: "c", place: .before("none")), .cycle),
    (.move(["a"], parent: "a", place: .first), .cycle),
    (.move(["f"], parent: "a", place: .before("c")), .anchorNotASibling),
    (.move(["e"], parent: "a", place: .after("e")), .anchorNotASibling),
    (.move(["e"], parent: "a", place: .index(2)), .indexOutOfRange),
    (.move(["a"], parent: "f", place: .first), .depthLimit),
    (.insert(ModelNestedNode("g"), parent: "c", place: .first), .depthLimit),
  ])
  func `a refused batch names its operation and changes nothing`(
    _ operation: ModelOperation,
    _ code: ModelErrorCode
  ) throws {
    let session = try session { $0.maximumDepth = 2 }
    let before = session.rows.map { $0.json() }
    let batch = [
      .update("f", object: RawJSON(kind: .bool(true), bytes: Array("true".utf8))), operation,
    ]
    #expect(throws: ModelError(code: code, operation: 1)) { try session.apply(batch) }
    #expect(session.rows.map { $0.json() } == before)
  }
}
