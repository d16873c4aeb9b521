import JSON
import Testing
import TreeEngine

@testable import TreeDomain

/// Tests of the room that is reserved for entries of change lists.
@Suite struct ChangeRoomTests {
  private static let name = ByteSlice(0..<120)

  private static let kinds: [Change.Kind] = [
    .delete(index: .min),
    .insert(newIndex: .min),
    .move(index: .min, newIndex: .min),
    .update(index: .min, newIndex: .min, ChangeList.UpdatedFields(rawValue: .max)),
    .deleteSection(name, index: .min),
    .insertSection(
      Change.SectionInsertion(section: name, newIndex: .min, isExpanded: false, wasNameless: true)
    ),
    .moveSection(name, index: .min, newIndex: .min),
    .updateSection(
      Change.SectionUpdate(
        section: name,
        index: .min,
        newIndex: .min,
        from: name,
        isExpanded: false,
        hasChangedExpansion: true
      )
    ),
  ]

  @Test(arguments: kinds.indices, [ChangeFormat.rows, .ranges])
  func `an entry takes no more room than computed`(kind: Int, format: ChangeFormat) throws {
    let names = Change.Names(key: Self.name, depth: .min, parent: Self.name)
    var change = Change(Self.kinds[kind], count: .min, names: names)
    change.place = Change.SectionPlace(section: Self.name, index: .min, row: .min)
    change.formerPlace = change.place
    var answer = BatchAnswer(
      session: try #require(AnswerWriteTests.session),
      previousRevision: Revision(1),
      revision: Revision(2),
      treeRevision: Revision(2),
      rowCount: 1,
      nodeCount: 1,
      format: format,
      rows: WrittenRows(text: Array("{}".utf8), ends: [2]),
      // Each byte of a name takes six in JSON.
      arena: [UInt8](repeating: 1, count: Self.name.count)
    )
    for rows in [0..<0, 0..<1] {
      change.rows = rows
      answer.changes = [change]
      var writer = JSONWriter()
      writer.reserve(8_192)
      change.write(to: &writer, of: answer)
      #expect(writer.count <= change.room(forRows: answer.rows[rows].count))
      let text = writer.finish()
      #expect(throws: Never.self) { _ = try JSONReader.validate(text, maxDepth: 4) }
    }
  }
}
