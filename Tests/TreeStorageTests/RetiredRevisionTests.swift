import Testing
import TreeDomain

/// The last revisions of deleted trees.
struct RetiredRevisionTests {
  @Test(arguments: Engine.allCases)
  func `the latest revision of each slot is kept`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    let numbers = [(7, 3), (65_535, 0), (7, 2), (0, 9), (7, 4), (65_535, 0)]
    try under.storage.commit(
      numbers.map { .retire(RetiredRevision(slot: $0, revision: Revision(UInt64($1)))) }
    )
    try under.reopen()
    let found = try under.storage.retiredRevisions().sorted { $0.slot < $1.slot }
    #expect(found.map(\.slot) == [0, 7, 65_535])
    #expect(found.map(\.revision.number) == [9, 4, 0])
  }

  /// Slots are stored.
  @Test func `the slot of an id never changes`() throws {
    let slots = try ["a", "catalog", "t_4f9wBq0yTn2LxVd7KcRm1Z"].map { id in
      RetiredRevision.slot(of: try #require(TreeID(validating: id.utf8)))
    }
    #expect(slots == [52_512, 63_726, nil])
    #expect(slots.allSatisfy { $0.map { $0 < RetiredRevision.slotCount } ?? true })
  }
}
