import JSON
import Testing
import TreeDomain
import TreeEngine

@Suite struct AnswerWriteTests {
  /// The bytes of answers: `a` at 0, `b"` at 1, an object at 3.
  static let arena = utf8("ab\"{\"x\":1.0}")
  static let a = ByteSlice(offset: 0, count: 1)
  static let b = ByteSlice(offset: 1, count: 2)
  static let object = ByteSlice(offset: 3, count: 9)
  static let session = SessionID(utf8("s_0000000000000000000001")[...])

  static let root = SampleRow(
    key: a,
    parent: nil,
    row: TreeDomain.Row(
      index: 0,
      depth: 0,
      position: 0,
      siblingCount: 1,
      isExpanded: true,
      childState: .loaded,
      childCount: 2,
      visibleDescendantCount: 3
    )
  )
  static let hidden = SampleRow(
    key: b,
    parent: a,
    row: TreeDomain.Row(
      index: nil,
      depth: 1,
      position: 4,
      siblingCount: 5,
      isExpanded: false,
      childState: .unloaded,
      childCount: nil,
      visibleDescendantCount: 0
    )
  )

  static let rootText =
    #""index":0,"key":"a","parent":null,"depth":0,"position":0,"siblingCount":1,"#
    + #""expanded":true,"childState":"loaded","childCount":2,"visibleDescendantCount":3,"#
    + #""selected":false,"object":{"x":1.0}"#
  static let hiddenText =
    #""index":null,"key":"b\"","parent":"a","depth":1,"position":4,"siblingCount":5,"#
    + #""expanded":false,"childState":"unloaded","childCount":null,"visibleDescendantCount":0,"#
    + #""selected":false,"object":{"x":1.0}"#
  static let origin = #""session":"s_0000000000000000000001","revision":12"#

  @Test func `a row is written with all its members or with the requested ones`() throws {
    #expect(Self.root.text(.all) == "{" + Self.rootText + "}")
    #expect(Self.hidden.text(.all) == "{" + Self.hiddenText + "}")
    let some = try RowFields(list: utf8("object,key")[...])
    #expect(Self.root.text(some) == #"{"key":"a","object":{"x":1.0}}"#)
    #expect(Self.root.text([]) == "{}")
  }

  @Test func `a row takes no more room than computed`() {
    var row = TreeDomain.Row(
      index: .min,
      depth: .min,
      position: .min,
      siblingCount: .min,
      isExpanded: false,
      childState: .unloaded,
      childCount: .min,
      visibleDescendantCount: .min
    )
    row.sectionRow = .min
    row.isMatched = false
    // Each byte of a name takes six in JSON.
    let names = [UInt8](repeating: 1, count: 120)
    let single = RowFields.names.indices.map { RowFields(rawValue: 1 << UInt16($0)) }
    let outlined = RowFields.all.subtracting(.standing)
    for fields in single + single.map({ RowFields.all.subtracting($0) }) + [.all, outlined, []] {
      var writer = JSONWriter()
      let room = TreeDomain.Row.room(fields, names: names.count, object: 7)
      row.write(
        to: &writer,
        key: names.span.extracting(0..<40),
        parent: names.span.extracting(40..<80),
        section: names.span.extracting(80..<120),
        object: names.span.extracting(0..<7),
        fields
      )
      #expect(writer.count <= room, "\(fields.rawValue)")
    }
  }

  @Test func `each member can be requested by name`() throws {
    var row = Self.root
    row.section = utf8("s")
    row.row.isMatched = true
    for (bit, name) in RowFields.names.enumerated() {
      let fields = try RowFields(list: utf8(name)[...])
      #expect(fields.rawValue == 1 << bit)
      #expect(row.text(fields).hasPrefix("{\"\(name)\":"))
    }
    #expect(try RowFields(list: utf8(RowFields.names.joined(separator: ","))[...]) == .all)
  }

  @Test(arguments: ["", ",", "key,", "key,key", "kye", "Key", " key", "key;depth"])
  func `a list with unknown, repeated or no members is refused`(_ list: String) {
    let error = refusal { () throws(ServiceError) in try RowFields(list: utf8(list)[...]) }
    #expect(error?.code == .invalidRequest)
  }

  @Test func `a page of rows is written`() throws {
    let session = try #require(Self.session)
    let page = RowPage(of: session, at: Revision(12), rowCount: 9, offset: 5, room: 0) { writer in
      Ancestor.write(key: utf8("a").span, index: 3, depth: 0, to: &writer)
    } rows: { writer in
      Self.root.write(to: &writer, [.key, .depth])
      Self.hidden.write(to: &writer, [.key, .depth])
    }
    #expect(page.revision == Revision(12))
    #expect(
      String(decoding: page.text, as: UTF8.self)
        == "{\(Self.origin),\"rowCount\":9,\"offset\":5,"
        + #""ancestors":[{"key":"a","index":3,"depth":0}],"#
        + #""rows":[{"key":"a","depth":0},{"key":"b\"","depth":1}]}"#
    )
    let empty = RowPage(of: session, at: Revision(12), rowCount: 0, offset: 0, room: 0) { _ in
    } rows: { _ in
    }
    #expect(
      String(decoding: empty.text, as: UTF8.self)
        == "{\(Self.origin),\"rowCount\":0,\"offset\":0,\"ancestors\":[],\"rows\":[]}"
    )
  }

  @Test func `child ranges, single nodes and ancestors are written`() throws {
    let session = try #require(Self.session)
    let children = ChildRange(
      session: session,
      revision: Revision(12),
      parent: utf8("a"),
      childCount: 5,
      offset: 4,
      nodes: SampleRow.rows([Self.hidden])
    )
    #expect(
      written(children.write)
        == "{\(Self.origin),\"parent\":\"a\",\"childCount\":5,\"offset\":4,"
        + "\"nodes\":[{\(Self.hiddenText)}]}"
    )
    let roots = ChildRange(
      session: session,
      revision: Revision(12),
      parent: nil,
      childCount: nil,
      offset: 0
    )
    #expect(
      written(roots.write)
        == "{\(Self.origin),\"parent\":null,\"childCount\":null,\"offset\":0,\"nodes\":[]}"
    )
    let node = NodeView(
      session: session,
      revision: Revision(12),
      row: SampleRow.rows([Self.hidden])
    )
    #expect(written(node.write) == "{\(Self.origin),\(Self.hiddenText)}")
    let key = Array("b\"".utf8)
    var writer = JSONWriter()
    writer.beginArray()
    Ancestor.write(key: key.span, index: nil, depth: 0, to: &writer)
    writer.endArray()
    let ancestors = Ancestors(
      session: session,
      revision: Revision(12),
      ancestors: writer.finish()
    )
    #expect(
      written(ancestors.write)
        == "{\(Self.origin),\"ancestors\":[{\"key\":\"b\\\"\",\"index\":null,\"depth\":0}]}"
    )
  }

  @Test func `a session's description is written`() throws {
    var generator = FixedGenerator()
    let description = SessionDescription(
      session: try #require(Self.session),
      tree: TreeID(using: &generator),
      revision: Revision(12),
      treeRevision: Revision(7),
      rowCount: 3,
      nodeCount: 4,
      options: SessionOptions(
        expansion: .levels(2),
        nestedExpansion: .forget,
        sort: SortOrder([SortDescriptor(by: .key, compare: .natural)])
      )
    )
    #expect(
      written { description.write(to: &$0) }
        == #"{"session":"s_0000000000000000000001","tree":"t_0000000000000000000000","#
        + #""revision":12,"treeRevision":7,"rowCount":3,"nodeCount":4,"selectedCount":0,"#
        + #""sections":[],"access":"write","expansion":2,"order":"depthFirst","#
        + #""viewSort":null,"filter":null,"#
        + #""selection":"multiple","nestedExpansion":"forget","accordion":false,"#
        + #""idleTimeoutSeconds":604800,"#
        + ##""sort":[{"by":"#key","direction":"ascending","compare":"natural"}]}"##
    )
    #expect(written { ExpansionRule.all.write(to: &$0) } == "\"all\"")
    #expect(written { ExpansionRule.none.write(to: &$0) } == "\"none\"")
  }
}

/// Gives zeros.
struct FixedGenerator: RandomNumberGenerator {
  mutating func next() -> UInt64 { 0 }
}
