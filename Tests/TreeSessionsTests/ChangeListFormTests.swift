import Testing
import TreeDomain
import TreeSessions

struct ChangeListFormTests {
  private func folder(_ count: Int) throws -> StoreUnderTest {
    let children = (0..<count).map { #"{"key":"c\#($0)"}"# }.joined(separator: ",")
    return try StoreUnderTest(
      #"{"nodes":[{"key":"f","children":[\#(children)]},{"key":"z"}]}"#
    )
  }

  @Test func `runs are merged, and single rows keep their keys`() throws {
    let session = try folder(3)
    let ranges = BatchOptions(format: .ranges)
    let collapse = try session.apply(#"{"op":"collapse","key":"f"}"#, options: ranges)
    #expect(
      StoreUnderTest.json(collapse).contains(
        #""format":"ranges","changes":[{"type":"delete","index":1,"count":3},"#
          + #"{"type":"update","key":"f","index":0,"newIndex":0,"count":1,"fields":["expanded"]}]"#
      )
    )
    let move = try session.apply(#"{"op":"move","key":"f"}"#, options: ranges)
    #expect(
      StoreUnderTest.json(move).contains(
        #"[{"type":"move","key":"f","index":0,"newIndex":1,"count":1,"depth":0,"parent":null}]"#
      )
    )
  }

  @Test func `rows fall back to ranges above the limit`() throws {
    var limits = SessionLimits()
    limits.maxChanges = 4
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"f","children":[{"key":"a"},{"key":"b"},{"key":"c"}]}]}"#,
      limits: limits
    )
    #expect(try session.apply(#"{"op":"collapse","key":"f"}"#).format == .rows)
    try session.apply(#"{"op":"insert","key":"d","parent":"f"}"#)
    let answer = try session.apply(#"{"op":"expand","key":"f"}"#)
    #expect(answer.format == .ranges)
    #expect(StoreUnderTest.json(answer).contains(#"{"type":"insert","newIndex":1,"count":4}"#))
  }

  @Test func `a list with the maximum number of entries has one for each row`() throws {
    var limits = SessionLimits()
    limits.maxChanges = 2
    for sections in ["[]", #"["s","t"]"#] {
      let session = try StoreUnderTest(#"{"sections":\#(sections)}"#, limits: limits)
      let two = try session.apply(
        #"{"op":"insert","key":"a"}"#,
        #"{"op":"insert","key":"b"}"#
      )
      #expect(two.format == .rows && two.changes.count == 2)
      let three = try session.apply(#"{"op":"setChildren","children":[{"key":"c"}]}"#)
      #expect(three.format == .ranges)
    }
  }

  @Test func `rows are included with insertions and updates, up to the limit`() throws {
    let session = try folder(3)
    try session.apply(#"{"op":"collapse","key":"f"}"#)
    let rows = try session.apply(
      #"{"op":"expand","key":"f"}"#,
      options: BatchOptions(includedRows: 2)
    )
    #expect(rows.changes.map(\.rows.count) == [1, 1, 0, 0])
    try session.apply(#"{"op":"collapse","key":"f"}"#)
    let ranges = try session.apply(
      #"{"op":"expand","key":"f"}"#,
      options: BatchOptions(format: .ranges, includedRows: 10)
    )
    #expect(ranges.changes.map(\.rows.count) == [3, 1])
  }

  @Test func `expanded nodes with unloaded children are listed`() throws {
    let session = try StoreUnderTest(
      #"{"expansion":"none","nodes":[{"key":"u","children":"unloaded"},{"key":"l"}]}"#
    )
    let answer = try session.apply(#"{"op":"expand","key":"u"}"#, #"{"op":"expand","key":"l"}"#)
    #expect(StoreUnderTest.json(answer).contains(#""unloaded":["u"]"#))
    #expect(try session.apply(#"{"op":"expandAll"}"#).unloaded.isEmpty, "it was expanded before")
    try session.apply(#"{"op":"collapseAll"}"#)
    #expect(try session.apply(#"{"op":"expandAll"}"#).unloaded.count == 1)
  }
}
