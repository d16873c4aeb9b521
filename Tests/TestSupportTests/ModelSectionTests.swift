import Testing

@testable import TestSupport

/// Tests of the model with sections.
struct ModelSectionTests {
  /// Creates a session with the sections A: a(b), c and B: d, all expanded.
  private func session() throws -> ModelSession {
    var options = ModelSessionOptions()
    options.sections = ["A", "B"]
    var d = ModelNestedNode("d")
    d.section = "B"
    let a = ModelNestedNode("a", children: .loaded([ModelNestedNode("b")]))
    options.nodes = [a, ModelNestedNode("c"), d]
    return try ModelSession(options)
  }

  /// Returns the rows as `section:keys` for each section.
  private func outline(_ session: ModelSession) -> String {
    session.sections.map { section in
      let rows = session.rows.filter { $0.section == section.name }
      return "\(section.name):" + rows.map(\.key.description).joined()
    }.joined(separator: " ")
  }

  @Test func `roots have their section and their place in it`() throws {
    let session = try session()
    #expect(outline(session) == "A:abc B:d")
    let row = try #require(session.row(of: "d"))
    #expect(row.section == "B" && row.sectionRow == 0 && row.index == 3)
    #expect(row.position == 0 && row.siblingCount == 1)
    #expect(session.row(of: "c")?.position == 1)
    #expect(session.sections.map(\.offset) == [0, 3])
  }

  @Test func `the first section of a tree comes with a nameless one`() throws {
    var options = ModelSessionOptions()
    options.nodes = [ModelNestedNode("a")]
    let session = try ModelSession(options)
    #expect(session.sections.isEmpty && session.row(of: "a")?.section == nil)
    try session.apply([.insertSection("A", index: nil)])
    #expect(outline(session) == ":a A:")
    try session.apply([.renameSection("", to: "Z"), .removeSection("A")])
    #expect(outline(session) == "Z:a")
    try session.apply([.removeSection("Z")])
    #expect(session.sections.isEmpty && session.nodeCount == 0)
  }

  @Test func `a collapsed section hides its roots`() throws {
    let session = try session()
    let outcome = try session.apply([.collapseSection("A")])
    #expect(outcome.stateChanged && !outcome.treeChanged)
    #expect(outline(session) == "A: B:d")
    #expect(session.row(of: "a")?.index == nil && session.row(of: "a")?.sectionRow == nil)
    try session.apply([.expandAll])
    #expect(outline(session) == "A: B:d")
    try session.apply([.reveal(["b"])])
    #expect(outline(session) == "A:abc B:d")
  }

  @Test(arguments: [
    (ModelOperation.moveSection("B", index: 0), "B:d A:abc"),
    (.insertSection("C", index: 1), "A:abc C: B:d"), (.removeSection("A"), "B:d"),
    (.renameSection("B", to: "D"), "A:abc D:d"),
    (.insert(ModelNestedNode("e"), parent: nil, place: .unspecified), "A:abce B:d"),
    (.insert(ModelNestedNode("e"), parent: nil, place: .before("d")), "A:abc B:ed"),
    (.insert(ModelNestedNode("e"), parent: nil, section: "B", place: .first), "A:abc B:ed"),
    (.move(["d"], parent: nil, section: "A", place: .index(1)), "A:abdc B:"),
    (.move(["b"], parent: nil, place: .unspecified), "A:acb B:d"),
    (.move(["d", "b"], parent: nil, place: .unspecified), "A:ac B:db"),
    (.setChildren(.roots(section: "B"), .nodes([ModelNestedNode("c")])), "A:ab B:c"),
    (.setChildren(.roots(section: nil), .nodes([ModelNestedNode("d")])), "A: B:d"),
    (.setChildren(.roots(section: "A"), .none), "A: B:d"),
  ])
  func `an operation changes the sections as expected`(
    _ operation: ModelOperation,
    _ rows: String
  ) throws {
    let session = try session()
    try session.apply([operation])
    #expect(outline(session) == rows)
    #expect(session.revision == 1 && session.shared.revision == 1)
  }

  @Test func `a section that keeps its place and name changes nothing`() throws {
    let session = try session()
    try session.apply([.moveSection("A", index: 0), .renameSection("A", to: "A")])
    #expect(session.revision == 0)
  }

  @Test func `breadth-first order applies to each section`() throws {
    let session = try session()
    var patch = ModelPatch()
    patch.order = .breadthFirst
    session.patch(patch)
    #expect(outline(session) == "A:acb B:d")
  }

  @Test(arguments: [
    (ModelOperation.insertSection("A", index: nil), ModelErrorCode.duplicateKey),
    (.renameSection("A", to: "B"), .duplicateKey), (.removeSection("C"), .sectionNotFound),
    (.moveSection("A", index: 2), .indexOutOfRange),
    (.insertSection("", index: 0), .invalidRequest),
    (
      .insert(ModelNestedNode("e"), parent: nil, section: "A", place: .after("d")),
      .anchorNotASibling
    ),
  ])
  func `an invalid operation on sections is refused`(
    _ operation: ModelOperation,
    _ code: ModelErrorCode
  ) throws {
    let session = try session()
    #expect(throws: ModelError(code: code, operation: 0)) { try session.apply([operation]) }
  }
}
