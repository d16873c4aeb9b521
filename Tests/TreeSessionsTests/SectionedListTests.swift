import Testing
import TreeDomain
import TreeSessions

/// Checks change lists in the sectioned form.
struct SectionedListTests {
  private let three = #"""
    {"sections":["A","B","C"],"nodes":[{"key":"a","section":"A","children":[{"key":"x"}]},
    {"key":"b","section":"B"},{"key":"b2","section":"B"},{"key":"c","section":"C"}]}
    """#

  private func changes(_ session: StoreUnderTest, _ operations: String...) throws -> String {
    var options = BatchOptions()
    options.isSectioned = true
    let list = operations.joined(separator: ",")
    let answer = try session.apply(Array(#"{"operations":[\#(list)]}"#.utf8), options)
    let text = StoreUnderTest.json(answer)
    let start = try #require(text.firstRange(of: #""changes":["#))
    let end = try #require(text.firstRange(of: #"],"unloaded""#))
    return String(text[start.upperBound..<end.lowerBound])
  }

  @Test func `a section that moves is the only change`() throws {
    let session = try StoreUnderTest(three)
    let moved = try changes(session, #"{"op":"moveSection","section":"A","index":2}"#)
    #expect(moved == #"{"type":"moveSection","section":"A","index":0,"newIndex":2}"#)
    let renamed = try changes(
      session,
      #"{"op":"moveSection","section":"A","index":0}"#,
      #"{"op":"renameSection","section":"A","to":"Z"}"#
    )
    #expect(
      renamed
        == #"{"type":"moveSection","section":"Z","index":2,"newIndex":0,"fields":["name"],"#
        + #""from":"A","expanded":true}"#
    )
  }

  @Test func `within a section that moves, only the moved row has a change`() throws {
    let session = try StoreUnderTest(three)
    let list = try changes(
      session,
      #"{"op":"moveSection","section":"B","index":0}"#,
      #"{"op":"move","key":"b2","first":true,"parent":null}"#
    )
    #expect(list.split(separator: #"{"type":"#).count == 2)
    #expect(list.contains(#""section":"B","sectionIndex":0,"sectionRow":"#))
    #expect(list.contains(#""fromSection":"B","fromSectionIndex":1,"fromSectionRow":"#))
  }

  @Test func `rows leave a deleted section as deletions and insertions`() throws {
    let session = try StoreUnderTest(three)
    let list = try changes(
      session,
      #"{"op":"move","key":"a","parent":null,"section":"C"}"#,
      #"{"op":"removeSection","section":"A"}"#
    )
    #expect(
      list
        == #"""
        {"type":"delete","key":"x","index":1,"section":"A","sectionIndex":0,"sectionRow":1},\#
        {"type":"delete","key":"a","index":0,"section":"A","sectionIndex":0,"sectionRow":0},\#
        {"type":"deleteSection","section":"A","index":0},\#
        {"type":"insert","key":"a","newIndex":3,"depth":0,"parent":null,"section":"C",\#
        "sectionIndex":1,"sectionRow":1},\#
        {"type":"insert","key":"x","newIndex":4,"depth":1,"parent":"a","section":"C",\#
        "sectionIndex":1,"sectionRow":2}
        """#
    )
  }

  @Test func `the other changes of a row that moves are part of its move`() throws {
    let session = try StoreUnderTest(three)
    let list = try changes(
      session,
      #"{"op":"move","key":"b","parent":"x"}"#,
      #"{"op":"update","key":"b","object":1}"#
    )
    #expect(list.contains(#""type":"move","key":"b""#) && list.contains(#""fields":["object"]"#))
    #expect(!list.contains(#""type":"update","key":"b""#))
  }

  @Test func `a tree without sections has one whose name is empty`() throws {
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a"},{"key":"b"}]}"#)
    let moved = try changes(session, #"{"op":"move","key":"b","first":true}"#)
    #expect(
      moved.contains(
        #""section":"","sectionIndex":0,"sectionRow":0,"fromSection":"","fromSectionIndex":0,"#
      )
    )
    let inserted = try changes(session, #"{"op":"insertSection","section":"S"}"#)
    #expect(inserted == #"{"type":"insertSection","section":"S","newIndex":1,"expanded":true}"#)
    let removed = try changes(session, #"{"op":"removeSection","section":"S"}"#)
    #expect(removed == #"{"type":"deleteSection","section":"S","index":1}"#)
  }
}
