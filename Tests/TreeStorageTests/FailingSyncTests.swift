import Glibc
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

extension DiskTests {
  /// A commit whose sync fails is complete in the log, where the next start would find it.
  struct FailingSyncTests {
    private let folder: TemporaryFolder
    private let storage: SQLiteStorage

    init() throws {
      folder = try TemporaryFolder()
      storage = try SQLiteStorage(folder: folder.path)
      try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: TreeNumber(1))])
    }

    /// Returns true if the store has these entries after the process is killed now.
    private func leaves(_ entries: [StoredEntry]) throws -> Bool {
      let copy = try TemporaryFolder()
      for suffix in ["", SQLiteStorage.logSuffix] {
        let name = SQLiteStorage.fileName + suffix
        try copy.write(folder.bytes(of: name) ?? [], to: name)
      }
      return try SQLiteStorage(folder: copy.path).allEntries(of: 1) == entries
    }

    /// Commits of one statement, of a transaction, and of more frames than those that overwrite it.
    private static let commits: [[StorageChange]] = [
      [.append(sample(2), to: TreeNumber(1))],
      [.append(sample(2), to: TreeNumber(1)), .append(sample(3), to: TreeNumber(1))],
      [.append(sample(2, bytes: 100_000), to: TreeNumber(1))],
    ]

    @Test(arguments: commits.indices)
    func `a refused commit is not there after a crash, and the next commit is`(index: Int) throws {
      let failures = try FailingDisk.whileSyncsFail(of: folder.path, with: EIO) { () throws in
        #expect(throws: StorageError.self) { try storage.commit(Self.commits[index]) }
        #expect(try leaves([sample(1)]))
        #expect(try storage.allEntries(of: 1) == [sample(1)])
      }
      #expect(failures > 0)
      try storage.probe()
      try storage.commit([.append(sample(2, bytes: 9), to: TreeNumber(1))])
      #expect(try leaves([sample(1), sample(2, bytes: 9)]))
    }

    @Test(arguments: [ENOSPC, EDQUOT, EFBIG, EIO])
    func `a sync without free space is reported as full`(number: Int32) throws {
      var error: StorageError?
      _ = FailingDisk.whileSyncsFail(of: folder.path, with: number) {
        error = #expect(throws: StorageError.self) { try storage.commit(Self.commits[0]) }
      }
      let isFull = if case .full? = error { true } else { false }
      #expect(isFull == (number != EIO), "\(error as Any)")
    }

    @Test func `a failed copy of the log is repeated after the same number of pages`() throws {
      let other = try TemporaryFolder()
      let desk = Desk()
      let storage = try SQLiteStorage(folder: other.path, assign: { desk.assign($0) })
      try storage.commit([.makeTree(sample(1, "a"))])
      try storage.commitPages(of: 1...4)
      #expect(FailingDisk.whileSyncsFail(of: other.path, with: EIO) { desk.work() } > 0)
      try storage.commitPages(of: 5...6)
      #expect(desk.count == 0)
      try storage.commitPages(of: 7...8)
      #expect(desk.count == 1)
      desk.work()
      #expect(other.bytes(of: SQLiteStorage.fileName)?.count ?? 0 > 8 << 20)
      #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...8))
    }

    /// A second sync would succeed without writing the data of the first.
    @Test(arguments: [true, false])
    func `the log is kept after the disk did not take a copy of it`(
      isCopiedBesideCommits: Bool
    ) throws {
      let other = try TemporaryFolder()
      let file = "\(other.path)/\(SQLiteStorage.fileName)"
      let desk = Desk()
      do {
        let storage = try SQLiteStorage(folder: other.path, assign: { desk.assign($0) })
        try storage.commit([.makeTree(sample(1, "a"))])
        try storage.commitPages(of: 1...4)
        // SQLite skips the sync only because of these later pages.
        let reader = try FormerReader(of: other)
        try storage.commitPages(of: 5...5)
        let failures = FailingDisk.whileSyncsFail(of: file, with: EIO) {
          if isCopiedBesideCommits { desk.work() } else { try? storage.probe() }
        }
        #expect(failures == 1)
        try reader.end()
        let error = #expect(throws: StorageError.self) { try storage.commitPages(of: 6...6) }
        #expect(error?.reason.contains("start the service anew") == true)
        #expect(throws: StorageError.self) { try storage.probe() }
        storage.tidy()
        #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...5))
        storage.close()
      }
      #expect(other.bytes(of: SQLiteStorage.fileName + SQLiteStorage.logSuffix)?.isEmpty == false)
      // The disk may have anything of the file.
      let bytes = try #require(other.bytes(of: SQLiteStorage.fileName))
      try other.write(Array(bytes.prefix(4_096)), to: SQLiteStorage.fileName)
      let storage = try SQLiteStorage(folder: other.path)
      #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...5))
      try storage.commitPages(of: 6...6)
    }
  }
}
