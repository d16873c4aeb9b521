import Testing

@testable import TestSupport

/// Tests of the updates of a table with sections.
struct TableUpdateTests {
  private typealias Path = TableUpdate.Path
  private let before = [[1, 2], [3], [4, 5]]

  @Test func `deletions refer to the old table and insertions to the new one`() {
    var update = TableUpdate()
    update.deletedRows = [Path(section: 0, row: 0)]
    update.insertedRows = [Path(section: 1, row: 1)]
    update.deletedSections = [1]
    update.movedRows = [(Path(section: 2, row: 1), Path(section: 0, row: 0))]
    #expect(update.prohibitions.isEmpty)
    #expect(update.applied(to: before, reading: [[5, 2], [4, 6]]) == [[5, 2], [4, 6]])
  }

  @Test func `a section moves with its rows, and an inserted one is read`() {
    var update = TableUpdate()
    update.movedSections = [(2, 0)]
    update.insertedSections = [1]
    update.deletedRows = [Path(section: 2, row: 0)]
    #expect(
      update.applied(to: before, reading: [[5], [9], [1, 2], [3]]) == [[5], [9], [1, 2], [3]]
    )
  }

  @Test func `mismatched numbers of rows are found`() {
    var update = TableUpdate()
    update.deletedSections = [0]
    #expect(update.applied(to: before, reading: before) == nil)
    update = TableUpdate()
    update.insertedRows = [Path(section: 0, row: 5)]
    #expect(update.applied(to: before, reading: before) == nil)
  }

  @Test func `updates that throw an exception are found`() {
    let path = Path(section: 1, row: 0)
    var update = TableUpdate()
    (update.deletedRows, update.updatedRows) = ([path], [(path, path)])
    #expect(update.prohibitions == ["a row before is in two roles"])
    update = TableUpdate()
    (update.movedRows, update.deletedSections) = ([(path, Path(section: 0, row: 0))], [1])
    #expect(update.prohibitions.count == 1)
    update = TableUpdate()
    (update.movedRows, update.insertedSections) = ([(Path(section: 0, row: 0), path)], [1])
    #expect(update.prohibitions.count == 1)
    update = TableUpdate()
    (update.movedSections, update.updatedSections) = ([(0, 1)], [(0, 1)])
    #expect(update.prohibitions.count == 2)
  }
}
