import Testing
import TreeDomain
import TreeSessions

struct SectionTests {
  private let two = #"""
    {"sections":["A","B"],"nodes":[{"key":"a","section":"A"},{"key":"b","section":"B",
    "children":[{"key":"c"}]}]}
    """#

  @Test func `a row has its section, and its index in the section`() throws {
    let session = try StoreUnderTest(two)
    let list = try session.store.sections(of: session.id, expectedRevision: nil)
    #expect(list.sections.map(\.offset) == [0, 1])
    #expect(list.sections.map(\.rowCount) == [1, 2])
    let rows = try session.rows()
    #expect(rows.contains(#""key":"c","parent":"b","depth":1,"section":"B","sectionRow":1"#))
  }

  @Test func `a collapsed section hides its roots, and others keep their places`() throws {
    let session = try StoreUnderTest(two)
    let answer = try session.apply(#"{"op":"collapseSection","section":"A"}"#)
    #expect(try session.keys() == ["b", "c"])
    #expect(
      StoreUnderTest.json(answer).contains(
        #"""
        "changes":[{"type":"delete","key":"a","index":0,"section":"A","sectionRow":0},\#
        {"type":"updateSection","section":"A","index":0,"newIndex":0,"fields":["expanded"],\#
        "expanded":false}]
        """#
      )
    )
    try session.apply(#"{"op":"collapseAll"}"#)
    #expect(try session.keys() == ["b"])
    try session.apply(#"{"op":"reveal","key":"a"}"#)
    #expect(try session.keys() == ["a", "b"])
  }

  @Test func `if a section passes an empty one, only rows moved within it have a move`() throws {
    let session = try StoreUnderTest(
      #"""
      {"sections":["X","Y"],"expansion":"all","nodes":[{"key":"a","section":"Y"},
      {"key":"b","section":"Y"},{"key":"c","section":"Y"},{"key":"d","section":"Y"}]}
      """#
    )
    let nested = try session.apply(
      #"{"op":"moveSection","section":"Y","index":0},{"op":"move","key":"d","parent":"b"}"#
    )
    #expect(
      StoreUnderTest.json(nested).contains(
        #"""
        "changes":[{"type":"moveSection","section":"Y","index":1,"newIndex":0},\#
        {"type":"move","key":"d","index":3,"newIndex":2,"depth":1,"parent":"b","section":"Y",\#
        "sectionRow":2,"fromSection":"Y","fromSectionRow":3},{"type":"update","key":"b",
        """#.dropLast()
      )
    )
    let ordered = try session.apply(
      #"{"op":"moveSection","section":"Y","index":1},{"op":"move","key":"c","first":true}"#
    )
    let moves = StoreUnderTest.json(ordered).split(separator: #""type":"move","#)
    #expect(moves.count == 2 && moves[1].contains(#""key":"c","index":3,"newIndex":0"#))
  }

  @Test func `sections are inserted, removed, moved and renamed with their rows`() throws {
    let session = try StoreUnderTest(two)
    let moved = try session.apply(#"{"op":"moveSection","section":"B","index":0}"#)
    #expect(try session.keys() == ["b", "c", "a"])
    #expect(StoreUnderTest.json(moved).contains(#""type":"moveSection""#))
    try session.apply(#"{"op":"insertSection","section":"C","index":1}"#)
    try session.apply(#"{"op":"move","key":"c","section":"C"}"#)
    #expect(try session.keys() == ["b", "c", "a"])
    try session.apply(#"{"op":"removeSection","section":"B"}"#)
    #expect(try session.keys() == ["c", "a"])
    try session.apply(#"{"op":"renameSection","section":"C","to":"D"}"#)
    let list = try session.store.sections(of: session.id, expectedRevision: nil)
    #expect(
      list.sections.map { String(decoding: list.arena[$0.section.range], as: UTF8.self) }
        == ["D", "A"]
    )
  }

  @Test(arguments: [
    // The section that is passed has no rows: from the start, or after the first operation.
    ("", ""), (#"{"key":"s"},"#, #"{"op":"remove","key":"s"},"#),
    (#"{"key":"s"},"#, #"{"op":"collapseSection","section":"S"},"#),
  ])
  func `a section that passes no rows moves without row moves`(
    passed: String,
    before: String
  ) throws {
    let tree =
      #"{"sections":["S","T"],"nodes":[\#(passed){"key":"t","section":"T","#
      + #""children":[{"key":"u"}]}]}"#
    for maxChanges in [1, 10_000] {
      var limits = SessionLimits()
      limits.maxChanges = maxChanges + (before.isEmpty ? 0 : 2)
      let session = try StoreUnderTest(tree, limits: limits)
      let batch = "{\"operations\":[" + before + #"{"op":"moveSection","section":"T","index":0}]}"#
      let answer = try session.apply(Array(batch.utf8))
      let kinds = answer.changes.map(\.kind)
      #expect(kinds.contains { if case .moveSection(_, 1, 0) = $0 { true } else { false } })
      #expect(!kinds.contains { if case .move = $0 { true } else { false } })
      #expect(answer.format == .rows)
      #expect(try session.keys() == ["t", "u"])
    }
  }

  @Test func `rows that shift with their section still have their other changes`() throws {
    let session = try StoreUnderTest(
      #"{"sections":["S","T"],"nodes":[{"key":"t","section":"T"},{"key":"u","section":"T"}]}"#
    )
    let answer = try session.apply(
      #"{"op":"moveSection","section":"T","index":0}"#,
      #"{"op":"move","key":"u","parent":"t"}"#,
      #"{"op":"update","key":"t","object":1}"#
    )
    #expect(try session.keys() == ["t", "u"])
    let json = StoreUnderTest.json(answer)
    #expect(json.contains(#""type":"move","key":"u","index":1,"newIndex":1"#))
    #expect(json.contains(#""type":"update","key":"t""#))
  }

  @Test func `the nameless section is listed from the first named section on`() throws {
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a"}]}"#)
    #expect(try !session.rows().contains("section"))
    try session.apply(#"{"op":"insertSection","section":"S"}"#)
    #expect(try session.rows().contains(#""section":"","sectionRow":0"#))
    try session.apply(#"{"op":"removeSection","section":"S"}"#)
    #expect(try !session.rows().contains("section"))
    try session.apply(
      #"{"op":"insertSection","section":"S"}"#,
      #"{"op":"removeSection","section":""}"#
    )
    #expect(try session.keys().isEmpty)
    try session.apply(#"{"op":"removeSection","section":"S"}"#)
    #expect(try session.store.session(session.id, expectedRevision: nil).sections.isEmpty)
  }
}
