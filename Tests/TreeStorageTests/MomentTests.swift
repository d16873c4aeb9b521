import TestSupport
import Testing
import TreeDomain
import TreeStorage

/// Reading one state while others write.
struct MomentTests {
  @Test func `reads in one closure see the same state despite commits`() throws {
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: TreeNumber(1))])
    let reader = try SQLiteStorage(reading: folder.path)
    var counts: [Int?] = []
    func count() { counts.append(try? reader.allEntries(of: 1).count) }
    try reader.reading {
      count()
      try? storage.commit([.append(sample(2), to: TreeNumber(1))])
      storage.tidy()
      count()
      try? storage.commit([.deleteTree(TreeNumber(1))])
      count()
      #expect((try? reader.tree(TreeNumber(1))) != nil)
    }
    #expect(counts == [1, 1, 1])
    #expect(try reader.tree(TreeNumber(1)) == nil)
  }
}
