import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

@Suite struct `What nothing refers to` {
  @Test(arguments: Engine.allCases)
  func `many small deleted trees are removed together`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    for number in 1...100 {
      let tree = TreeNumber(number)
      try under.storage.commit([.makeTree(sample(number, "t")), .append(sample(1), to: tree)])
      try under.storage.commit([.deleteTree(tree)])
    }
    var rounds = 0
    while try under.storage.sweep(limit: 200) { rounds += 1 }
    #expect(rounds <= 3, "entries, sessions and the tree's own row are three rows a tree at most")
    #expect(try under.storage.sharedTrees().isEmpty)
  }

  /// All removals go through the log, and commits wait meanwhile.
  @Test func `a sweep is limited in bytes, even for few rows`() throws {
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(folder: folder.path)
    let tree = TreeNumber(1)
    try storage.commit([.makeTree(sample(1, "a"))])
    let entries = 24
    for number in 1...entries {
      try storage.commit([.append(sample(number, bytes: 1 << 20), to: tree)])
    }
    try storage.commit([.deleteTree(tree)])
    var sweeps = 0
    while try storage.sweep(limit: 1_000) { sweeps += 1 }
    #expect(sweeps >= entries, "each is more than is removed at once")
    #expect(try storage.tree(tree) == nil)
    // The pages are reused before the file grows.
    let unused = try storage.read { connection throws(StorageError) in
      try connection.unusedBytes()
    }
    #expect(unused >= entries << 20)
  }
}
