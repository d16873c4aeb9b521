import Testing
import TreeDomain
import TreeEngine

@Suite struct BatchAnswerTests {
  private func answer(_ format: ChangeFormat) throws -> BatchAnswer {
    var answer = BatchAnswer(
      session: try #require(AnswerWriteTests.session),
      previousRevision: Revision(3),
      revision: Revision(4),
      treeRevision: Revision(5),
      rowCount: 6,
      nodeCount: 7,
      format: format
    )
    answer.arena = AnswerWriteTests.arena
    return answer
  }

  private static let head =
    #"{"session":"s_0000000000000000000001","previousRevision":3,"revision":4,"#
    + #""treeRevision":5,"rowCount":6,"nodeCount":7,"#

  @Test func `an answer without changes has an empty list`() throws {
    let answer = try answer(.rows)
    #expect(
      written(answer.write) == Self.head + #""format":"rows","changes":[],"unloaded":[]}"#
    )
  }

  @Test func `entries for single rows have the form of the contract`() throws {
    var answer = try answer(.rows)
    let (a, b) = (AnswerWriteTests.a, AnswerWriteTests.b)
    answer.changes = [
      Change(.delete(index: 7), names: Change.Names(key: a, depth: 9)),
      Change(.insert(newIndex: 1), names: Change.Names(key: b, depth: 1, parent: a), rows: 0..<1),
      Change(.move(index: 6, newIndex: 3), names: Change.Names(key: a)),
      Change(
        .update(index: 0, newIndex: 2, [.object, .expanded, .childState, .childCount]),
        names: Change.Names(key: b, depth: 1, parent: a)
      ),
    ]
    answer.rows = SampleRow.rows([AnswerWriteTests.hidden], [.key, .depth])
    answer.unloaded = [a, b]
    #expect(
      written(answer.write)
        == Self.head + #""format":"rows","changes":["#
        + #"{"type":"delete","key":"a","index":7},"#
        + #"{"type":"insert","key":"b\"","newIndex":1,"depth":1,"parent":"a","#
        + #""row":{"key":"b\"","depth":1}},"#
        + #"{"type":"move","key":"a","index":6,"newIndex":3,"depth":0,"parent":null},"#
        + #"{"type":"update","key":"b\"","index":0,"newIndex":2,"#
        + #""fields":["object","expanded","childState","childCount"]}"#
        + #"],"unloaded":["a","b\""]}"#
    )
  }

  @Test func `runs have a count, and a key only for a single row`() throws {
    var answer = try answer(.ranges)
    let a = AnswerWriteTests.a
    answer.changes = [
      Change(.delete(index: 7), count: 3),
      Change(.delete(index: 2), names: Change.Names(key: a)),
      Change(.insert(newIndex: 5), count: 1000, rows: 0..<2),
      Change(.move(index: 6, newIndex: 3), count: 2),
      Change(.update(index: 0, newIndex: 2, .childCount), count: 4),
    ]
    answer.rows = SampleRow.rows([AnswerWriteTests.root, AnswerWriteTests.hidden], .key)
    #expect(
      written(answer.write)
        == Self.head + #""format":"ranges","changes":["#
        + #"{"type":"delete","index":7,"count":3},{"type":"delete","key":"a","index":2,"count":1},"#
        + #"{"type":"insert","newIndex":5,"count":1000,"rows":[{"key":"a"},{"key":"b\""}]},"#
        + #"{"type":"move","index":6,"newIndex":3,"count":2},"#
        + #"{"type":"update","index":0,"newIndex":2,"count":4,"fields":["childCount"]}"#
        + #"],"unloaded":[]}"#
    )
  }
}
