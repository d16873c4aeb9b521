import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

extension DiskTests {
  /// Long entries that are written ahead of their commit.
  struct WrittenAheadTests {
    @Test(arguments: Seed.seeds(count: 4))
    func `acknowledged entries are there, and no piece of any other`(seed: UInt64) throws {
      var run = try WrittenAheadRun(seed: seed)
      for _ in 0..<Seed.operations(default: 150) { try run.step() }
      try run.checkAfterKill()
    }

    /// Each commit holds the log only for a part of the entry.
    @Test func `an entry is written in parts, and its commit is short`() throws {
      let folder = try TemporaryFolder()
      let storage = try SQLiteStorage(folder: folder.path)
      let (tree, bytes) = (TreeNumber(1), 4 << 20)
      let entry = sample(1, bytes: bytes)
      try storage.commit([.makeTree(sample(1, "a")), .makeTree(sample(2, "b"))])
      var parts = 0
      while try storage.writeAhead(entry, of: tree, bytes: 1 << 18) {
        parts += 1
        #expect(try storage.allEntries(of: 1) == [])
        try storage.commit([.append(sample(parts), to: TreeNumber(2))])
      }
      #expect(parts == bytes >> 18 - 1)
      let before = storage.writtenPages
      try storage.commit([.append(entry, to: tree)])
      #expect(storage.writtenPages - before < 40)
      #expect(try storage.allEntries(of: 1) == [entry])
      #expect(try storage.allEntries(of: 2).count == parts)
    }

    @Test func `an entry in a place that is taken is refused before it is written`() throws {
      let folder = try TemporaryFolder()
      let storage = try SQLiteStorage(folder: folder.path)
      let tree = TreeNumber(1)
      try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: tree)])
      let error = #expect(throws: StorageError.self) {
        try storage.writeAhead(sample(1, bytes: 1 << 20), of: tree, bytes: 1 << 18)
      }
      #expect(error?.isOfDisk == false)
      #expect(try storage.sweep(limit: 100) == false)
    }

    /// The table `garbage` may be damaged, and does not prevent the start.
    @Test func `pieces of no entry are found without the row that names them`() throws {
      let folder = try TemporaryFolder()
      var storage: SQLiteStorage? = try SQLiteStorage(folder: folder.path)
      let tree = TreeNumber(1)
      try storage?.commit([.makeTree(sample(1, "a"))])
      _ = try storage?.writeAhead(sample(1, bytes: 1 << 20), of: tree, bytes: 1 << 18)
      try storage?.write { connection throws(StorageError) in
        try connection.run("DROP TABLE garbage")
      }
      storage = nil
      storage = try SQLiteStorage(folder: folder.path)
      try storage?.commit([.append(sample(1), to: tree)])
      try storage?.commit([.append(sample(2, bytes: 100_000), to: tree)])
      #expect(try storage?.allEntries(of: 1) == [sample(1), sample(2, bytes: 100_000)])
    }

    @Test func `pieces of an entry that was given up are swept in small steps`() throws {
      let folder = try TemporaryFolder()
      let storage = try SQLiteStorage(folder: folder.path)
      try storage.commit([.makeTree(sample(1, "a")), .makeTree(sample(2, "b"))])
      let entry = sample(1, bytes: 2 << 20)
      while try storage.writeAhead(entry, of: TreeNumber(1), bytes: 1 << 18) {}
      #expect(try storage.sweep(limit: 100) == false, "it may still be appended")
      _ = try storage.writeAhead(entry, of: TreeNumber(2), bytes: 1 << 18)
      var sweeps = 0
      while try storage.sweep(limit: 100) { sweeps += 1 }
      #expect(sweeps >= 31)
      #expect(try storage.findDamage() == [])
    }
  }
}

extension SQLiteStorage {
  /// The number of pages that were written to the log since it was last copied.
  fileprivate var writtenPages: Int { writer.withLock { $0.writtenPages } }
}
