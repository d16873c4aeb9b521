import JSON
import Testing
import TreeDomain
import TreeEngine

@Suite struct ContractAnswerTests {
  private let arena = AnswerWriteTests.arena
  private let a = AnswerWriteTests.a
  private let b = AnswerWriteTests.b

  private func session() throws -> SessionID { try #require(AnswerWriteTests.session) }

  private func tree() throws -> TreeID { try #require(TreeID(validating: utf8("catalog"))) }

  private func answer(_ changes: [Change], _ format: ChangeFormat = .rows) throws -> String {
    var answer = BatchAnswer(
      session: try session(),
      previousRevision: Revision(3),
      revision: Revision(4),
      treeRevision: Revision(5),
      rowCount: 6,
      nodeCount: 7,
      format: format
    )
    answer.arena = arena
    answer.changes = changes
    let text = written(answer.write)
    return String(text.dropFirst(Self.head(format).count).dropLast(Self.tail.count))
  }

  private static func head(_ format: ChangeFormat) -> String {
    #"{"session":"s_0000000000000000000001","previousRevision":3,"revision":4,"#
      + #""treeRevision":5,"rowCount":6,"nodeCount":7,"format":"\#(format.rawValue)","changes":["#
  }

  private static let tail = #"],"unloaded":[]}"#

  @Test func `a filtered row of a tree with sections has all members in order`() {
    var row = AnswerWriteTests.root
    row.section = utf8("b\"")
    row.row.sectionRow = 4
    row.row.isSelected = true
    row.row.isMatched = false
    #expect(
      row.text(.all)
        == #"{"index":0,"key":"a","parent":null,"depth":0,"section":"b\"","sectionRow":4,"#
        + #""position":0,"siblingCount":1,"expanded":true,"childState":"loaded","childCount":2,"#
        + #""visibleDescendantCount":3,"selected":true,"matched":false,"object":{"x":1.0}}"#
    )
    row.row.sectionRow = nil
    let fields: RowFields = [.sectionRow, .matched]
    #expect(row.text(fields) == #"{"sectionRow":null,"matched":false}"#)
  }

  @Test func `entries for sections report each kind of change`() throws {
    let renamed = Change.SectionUpdate(
      section: a,
      index: 2,
      newIndex: 3,
      from: b,
      isExpanded: true,
      hasChangedExpansion: false
    )
    var collapsed = renamed
    collapsed.from = nil
    collapsed.isExpanded = false
    collapsed.hasChangedExpansion = true
    #expect(
      try answer([
        Change(.deleteSection(a, index: 1)),
        Change(
          .insertSection(.init(section: b, newIndex: 0, isExpanded: true, wasNameless: true))
        ),
        Change(.moveSection(a, index: 2, newIndex: 1)), Change(.updateSection(renamed)),
        Change(.updateSection(collapsed)),
      ])
        == #"{"type":"deleteSection","section":"a","index":1},"#
        + #"{"type":"insertSection","section":"b\"","newIndex":0,"from":"","expanded":true},"#
        + #"{"type":"moveSection","section":"a","index":2,"newIndex":1},"#
        + #"{"type":"updateSection","section":"a","index":2,"newIndex":3,"fields":["name"],"#
        + #""from":"b\"","expanded":true},"#
        + #"{"type":"updateSection","section":"a","index":2,"newIndex":3,"fields":["expanded"],"#
        + #""expanded":false}"#
    )
  }

  @Test(arguments: [ChangeFormat.rows, .ranges])
  func `entries for rows include their places in sections`(
    _ format: ChangeFormat
  ) throws {
    let here = Change.SectionPlace(section: a, index: 0, row: 8)
    var changes = [
      Change(.delete(index: 7), names: Change.Names(key: a)),
      Change(.insert(newIndex: 1), names: Change.Names(key: a)),
      Change(.move(index: 6, newIndex: 3), names: Change.Names(key: a)),
      Change(.update(index: 0, newIndex: 2, [.selected, .matched]), names: Change.Names(key: a)),
    ]
    for index in changes.indices { changes[index].place = here }
    changes[2].formerPlace = Change.SectionPlace(section: b, index: 1, row: 9)
    let count = format == .ranges ? #""count":1,"# : ""
    let place = #""section":"a","sectionRow":8"#
    #expect(
      try answer(changes, format)
        == #"{"type":"delete","key":"a","index":7,\#(count)\#(place)},"#
        + #"{"type":"insert","key":"a","newIndex":1,\#(count)"depth":0,"parent":null,\#(place)},"#
        + #"{"type":"move","key":"a","index":6,"newIndex":3,\#(count)"depth":0,"parent":null,"#
        + #"\#(place),"fromSection":"b\"","fromSectionRow":9},"#
        + #"{"type":"update","key":"a","index":0,"newIndex":2,\#(count)"#
        + #""fields":["selected","matched"],\#(place)}"#
    )
  }

  @Test func `the answer to a patch contains the session and the changes`() throws {
    let description = SessionDescription(
      session: try session(),
      tree: try tree(),
      revision: Revision(4),
      treeRevision: Revision(5),
      rowCount: 6,
      nodeCount: 7,
      selectedCount: 2,
      sections: [a, b],
      options: SessionOptions(),
      arena: arena
    )
    let options =
      #""selectedCount":2,"sections":["a","b\""],"access":"write","expansion":"all","#
      + #""order":"depthFirst","viewSort":null,"#
      + #""filter":null,"selection":"multiple","nestedExpansion":"remember","accordion":false,"#
      + #""idleTimeoutSeconds":604800,"sort":[]"#
    let origin = #"{"session":"s_0000000000000000000001","tree":"catalog","#
    let counts = #""revision":4,"treeRevision":5,"rowCount":6,"nodeCount":7,"#
    #expect(written { description.write(to: &$0) } == origin + counts + options + "}")
    let secret = try #require(SessionSecret(bytes: Array(0...31)))
    #expect(
      written { description.write(to: &$0, secret: secret) } == origin
        + #""secret":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","# + counts + options + "}"
    )
    let list = BatchAnswer(
      session: try session(),
      previousRevision: Revision(3),
      revision: Revision(4),
      treeRevision: Revision(5),
      rowCount: 6,
      nodeCount: 7
    )
    #expect(
      written(PatchAnswer(description, list).write)
        == origin + #""previousRevision":3,"# + counts + options
        + #","format":"rows","changes":[],"unloaded":[]}"#
    )
  }

  @Test func `sections and search results are written`() throws {
    let section = SectionView(
      section: b,
      index: 1,
      rowCount: 3,
      offset: 4,
      rootCount: 2,
      isExpanded: false
    )
    let list = SectionList(revision: Revision(9), sections: [section], arena: arena)
    #expect(
      written(list.write)
        == #"[{"section":"b\"","index":1,"rowCount":3,"offset":4,"rootCount":2,"expanded":false}]"#
    )
    var result = SearchResult(
      session: try session(),
      revision: Revision(12),
      matches: SampleRow.rows([AnswerWriteTests.hidden], [.index, .key]),
      next: utf8("b\"")
    )
    let head = "{\(AnswerWriteTests.origin),\"matches\":[{\"index\":null,\"key\":\"b\\\"\"}],"
    #expect(written(result.write) == head + #""next":"b\""}"#)
    result.next = nil
    #expect(written(result.write) == head + #""next":null}"#)
  }

  @Test func `trees and batch answers are written`() throws {
    let description = TreeDescription(
      tree: try tree(),
      revision: Revision(2),
      nodeCount: 3,
      sections: [a],
      arena: arena
    )
    let text = #"{"tree":"catalog","revision":2,"nodeCount":3,"sections":["a"],"sort":[]}"#
    #expect(written(description.write) == text)
    let page = TreePage(trees: [description, description], next: try tree())
    #expect(written(page.write) == #"{"trees":[\#(text),\#(text)],"next":"catalog"}"#)
    #expect(written(TreePage(trees: []).write) == #"{"trees":[],"next":null}"#)
    let applied = TreeBatchAnswer(
      tree: try tree(),
      previousRevision: Revision(1),
      revision: Revision(2),
      nodeCount: 3,
      applied: 4
    )
    #expect(
      written(applied.write)
        == #"{"tree":"catalog","previousRevision":1,"revision":2,"nodeCount":3,"applied":4}"#
    )
  }

  @Test func `nodes without a view are written`() throws {
    var node = TreeNode(
      key: b,
      parent: a,
      depth: 1,
      position: 2,
      siblingCount: 3,
      childState: .unloaded,
      childCount: 9,
      object: AnswerWriteTests.object
    )
    let text =
      #""position":2,"siblingCount":3,"childState":"unloaded","childCount":9,"object":{"x":1.0}}"#
    let origin = #"{"tree":"catalog","revision":2,"#
    let view = TreeNodeView(tree: try tree(), revision: Revision(2), node: node, arena: arena)
    #expect(
      written(view.write) == origin + #""node":{"key":"b\"","parent":"a","depth":1,"# + text + "}"
    )
    (node.parent, node.depth, node.section) = (nil, 0, a)
    var range = TreeChildRange(
      tree: try tree(),
      revision: Revision(2),
      parent: nil,
      childCount: 7,
      offset: 4,
      nodes: [node],
      arena: arena
    )
    let head = origin + #""parent":null,"childCount":7,"offset":4,"nodes":["#
    #expect(
      written(range.write)
        == head + #"{"key":"b\"","parent":null,"depth":0,"section":"a","# + text + "]}"
    )
    range.fields = [.key, .index, .expanded, .selected, .visibleDescendantCount, .matched]
    #expect(written(range.write) == head + #"{"key":"b\""}]}"#)
  }

  @Test func `an error is written with its line, revision and row count`() {
    var error = ServiceError(.historyExpired, "Read it again.")
    error.line = 3
    error.revision = Revision(4)
    error.rowCount = 5
    #expect(
      written { writer in
        writer.beginObject()
        error.writeMembers(to: &writer)
        writer.endObject()
      }
        == #"{"detail":"Read it again.","code":"history-expired","line":3,"revision":4,"#
        + #""rowCount":5}"#
    )
  }

  @Test func `a condition holds at the revisions it lists`() {
    func holds(_ condition: RevisionCondition) -> [Bool] {
      [0, 1, 2, 3].map { condition.holds(at: Revision($0)) }
    }
    let some = RevisionCondition.Revisions.oneOf([Revision(1), Revision(3)])
    #expect(holds(RevisionCondition(required: .any)) == [true, true, true, true])
    #expect(holds(RevisionCondition(required: some)) == [false, true, false, true])
    #expect(holds(RevisionCondition(required: .oneOf([]))) == [false, false, false, false])
    #expect(holds(RevisionCondition(excluded: .any)) == [false, false, false, false])
    #expect(holds(RevisionCondition(excluded: some)) == [true, false, true, false])
    let first = RevisionCondition.Revisions.oneOf([Revision(1)])
    #expect(
      holds(RevisionCondition(required: some, excluded: first)) == [false, false, false, true]
    )
  }
}
