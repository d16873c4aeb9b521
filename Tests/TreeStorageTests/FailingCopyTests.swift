import Glibc
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

extension DiskTests {
  /// Tests of a copy of the log that the disk does not take.
  struct FailingCopyTests {
    /// A reader keeps SQLite's count of copied pages in shared memory, as another process may.
    @Test func `everything is copied again by the next start, whoever reads meanwhile`() throws {
      let folder = try TemporaryFolder()
      let desk = Desk()
      var storage: SQLiteStorage? = try SQLiteStorage(
        folder: folder.path,
        assign: { desk.assign($0) }
      )
      try storage?.commit([.makeTree(sample(1, "a"))])
      try storage?.commitPages(of: 1...4)
      let reader = try FormerReader(of: folder)
      try storage?.commitPages(of: 5...5)
      let former = try #require(folder.bytes(of: SQLiteStorage.fileName))
      let path = folder.path + "/" + SQLiteStorage.fileName
      let failures = FailingDisk.whileSyncsFail(of: path, with: EIO) { desk.work() }
      #expect(failures > 0)
      #expect(throws: StorageError.self) { try storage?.commitPages(of: 6...6) }
      storage = nil
      // The disk lost the pages that it did not sync.
      try folder.write(former, to: SQLiteStorage.fileName)
      storage = try SQLiteStorage(folder: folder.path)
      try reader.end()
      #expect(try storage?.allEntries(of: 1).map(\.number) == Array(1...5))
      storage?.close()
      #expect(folder.bytes(of: SQLiteStorage.fileName)?.count ?? 0 > 5 << 20)
      #expect(try SQLiteStorage(reading: folder.path).findDamage() == [])
      #expect(try storage?.allEntries(of: 1).map(\.number) == Array(1...5))
    }
  }
}
