import JSON
import Testing
import TreeDomain
import TreeSessions

/// Answers are limited in bytes, whatever is requested, and can be continued.
@Suite struct AnswerBytesTests {
  private static let object = "\"\(String(repeating: "x", count: 2_000))\""

  private var limits: SessionLimits {
    var limits = SessionLimits()
    limits.maxAnswerBytes = 10_000
    return limits
  }

  /// Makes a session with twenty nodes of 2 000 bytes below an empty one.
  private func session(_ members: String = "") throws -> StoreUnderTest {
    let children = (0..<20).map { #"{"key":"c\#($0)","object":\#(Self.object)}"# }
    let nodes = #"[{"key":"f","children":[\#(children.joined(separator: ","))]}]"#
    return try StoreUnderTest(#"{"nodes":\#(nodes)\#(members)}"#, limits: limits)
  }

  private func indexes(_ page: RowPage) throws -> [Int] {
    let text = String(decoding: page.rows, as: UTF8.self)
    return text.split(separator: #""index":"#).dropFirst().compactMap { part in
      Int(part.prefix { $0.isNumber })
    }
  }

  @Test(arguments: [RowFields.all, [.index, .object]])
  func `a page is cut, and the next one continues`(_ fields: RowFields) throws {
    let session = try session()
    var offset = 0
    while offset < 21 {
      let page = try session.store.rows(
        of: session.id,
        RowQuery(.offset(offset, limit: 1_000), fields: fields)
      )
      let read = try indexes(page)
      #expect(page.text.count < 15_000 && page.rowCount == 21)
      #expect(!read.isEmpty && read == Array(offset..<offset + read.count))
      #expect(offset + read.count == 21 || read.count < 8)
      offset += max(read.count, 1)
    }
  }

  @Test(arguments: [RowFields.all, [.index, .object]])
  func `a window around a node contains that node`(_ fields: RowFields) throws {
    let session = try session()
    func window(_ before: Int, _ after: Int) throws -> [Int] {
      let window = RowQuery.Window.around(key: Array("c10".utf8), before: before, after: after)
      return try indexes(session.store.rows(of: session.id, RowQuery(window, fields: fields)))
    }
    #expect(try window(1, 1) == [10, 11, 12])
    let long = try window(1_000, 1_000)
    #expect(long.count < 8 && long.first == 11)
  }

  @Test func `a single row is returned whatever its size`() throws {
    let object = "\"\(String(repeating: "x", count: 20_000))\""
    let nodes = ["a", "b"].map { #"{"key":"\#($0)","object":\#(object)}"# }.joined(separator: ",")
    let session = try StoreUnderTest(#"{"nodes":[\#(nodes)]}"#, limits: limits)
    for fields in [RowFields.all, [.index, .object]] {
      let query = RowQuery(.offset(1, limit: 10), fields: fields)
      #expect(try indexes(session.store.rows(of: session.id, query)) == [1])
    }
  }

  @Test func `children and search results are cut`() throws {
    let session = try session()
    let store = session.store
    let key = Array("f".utf8)
    let children = try store.children(ChildrenQuery(of: key, 3..<1_003), of: session.id)
    #expect((1..<8).contains(children.nodes.count))
    let search = Search(Array("c".utf8))
    var read = 0
    var query = SearchQuery(search, limit: 1_000)
    repeat {
      let found = try store.search(in: session.id, query)
      #expect((1..<8).contains(found.matches.count))
      read += found.matches.count
      query.after = found.next
    } while query.after != nil
    #expect(read == 20)
  }

  @Test func `included rows are limited in bytes`() throws {
    let session = try session(#","expansion":"none""#)
    let options = BatchOptions(includedRows: 1_000)
    let answer = try session.apply(#"{"op":"expand","key":"f"}"#, options: options)
    #expect(answer.format == .rows && answer.changes.count == 21)
    #expect((1..<8).contains(answer.rows.count))
  }

  /// Makes a session with 400 collapsed nodes that have one child each.
  private func striped(_ sections: String) throws -> StoreUnderTest {
    let nodes = (0..<400).map { number in
      let section = sections.isEmpty ? "" : #","section":"s\#(number / 200)""#
      return #"{"key":"k\#(number)","children":[{"key":"c\#(number)"}]\#(section)}"#
    }
    let session = try StoreUnderTest(
      #"{"expansion":"none"\#(sections),"nodes":[\#(nodes.joined(separator: ","))]}"#,
      limits: limits
    )
    return session
  }

  @Test func `a list with too many runs deletes and inserts all rows`() throws {
    let session = try striped("")
    let answer = try session.apply(#"{"op":"expandAll"}"#)
    #expect(
      StoreUnderTest.json(answer).contains(
        #""format":"ranges","changes":[{"type":"delete","index":0,"count":400},"#
          + #"{"type":"insert","newIndex":0,"count":800}],"unloaded":[]"#
      )
    )
    let rows = try session.apply(
      #"{"op":"collapseAll"}"#,
      options: BatchOptions(format: .ranges, includedRows: 3)
    )
    #expect(rows.changes.map(\.rows.count) == [0, 3])
  }

  @Test func `a list with too many runs deletes and inserts the rows of each section`() throws {
    let session = try striped(#","sections":["s0","s1"]"#)
    let answer = try session.apply(
      #"{"op":"expandAll"}"#,
      #"{"op":"moveSection","section":"s1","index":0}"#
    )
    let gone = [
      #"{"type":"delete","index":200,"count":200,"section":"s1","sectionRow":0}"#,
      #"{"type":"delete","index":0,"count":200,"section":"s0","sectionRow":0}"#,
    ]
    let come = [
      #"{"type":"insert","newIndex":0,"count":400,"section":"s1","sectionRow":0}"#,
      #"{"type":"insert","newIndex":400,"count":400,"section":"s0","sectionRow":0}"#,
    ]
    let text = StoreUnderTest.json(answer)
    // The engine may report either of the two sections as moved.
    let parts = text.split(separator: #"{"type":"moveSection","#)
    #expect(parts.count == 2, "\(text)")
    #expect(parts[0].hasSuffix(#""changes":[\#(gone.joined(separator: ",")),"#), "\(text)")
    #expect(parts[1].contains(#"},\#(come.joined(separator: ","))],"unloaded""#), "\(text)")
  }

  @Test func `the keys of unloaded nodes are listed up to a number of bytes`() throws {
    let nodes = (0..<2_000).map { #"{"key":"key\#($0)","children":"unloaded"}"# }
    let session = try StoreUnderTest(
      #"{"expansion":"none","nodes":[\#(nodes.joined(separator: ","))]}"#,
      limits: limits
    )
    let answer = try session.apply(#"{"op":"expandAll"}"#)
    #expect((100..<1_000).contains(answer.unloaded.count))
  }

  @Test func `a state that is too long is refused`() throws {
    let nodes = (0..<2_000).map { #"{"key":"key\#($0)"}"# }.joined(separator: ",")
    let session = try StoreUnderTest(#"{"nodes":[\#(nodes)]}"#, limits: limits)
    for number in 0..<2 {
      try session.apply(#"{"op":"select","key":"key\#(number)"}"#)
    }
    _ = try session.store.state(of: session.id, expectedRevision: nil)
    let keys = (0..<2_000).map { "\"key\($0)\"" }.joined(separator: ",")
    try session.apply(#"{"op":"select","keys":[\#(keys)]}"#)
    let refused = refusal { () throws(ServiceError) in
      _ = try session.store.state(of: session.id, expectedRevision: nil)
    }
    #expect(refused?.code == .contentTooLarge && refused?.limit == 10_000)
  }

  @Test func `a page of trees is cut, and the next one continues`() throws {
    let store = SessionStore(limits: limits)
    let names = (0..<100).map { "\"\($0)\(String(repeating: "n", count: 20))\"" }
    for number in 0..<20 {
      let body = #"{"tree":"t\#(10 + number)","sections":[\#(names.joined(separator: ","))]}"#
      _ = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    }
    var read: [TreeID] = []
    var after: TreeID?
    repeat {
      let page = store.trees(after: after, limit: 1_000)
      #expect((1..<8).contains(page.trees.count))
      read += page.trees.map(\.tree)
      after = page.next
    } while after != nil
    #expect(read.map { String(decoding: $0.bytes, as: UTF8.self) } == (10..<30).map { "t\($0)" })
  }
}
