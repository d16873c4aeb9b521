import Glibc
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

extension DiskTests {
  /// A generation that begins while there is no room to store it.
  struct FullDiskGenerationTests {
    private let folder: TemporaryFolder
    private let log: String

    init() throws {
      folder = try TemporaryFolder()
      log = "\(folder.path)/\(SQLiteStorage.fileName)\(SQLiteStorage.logSuffix)"
    }

    private func write(_ number: Int) throws {
      let storage = try SQLiteStorage(folder: folder.path)
      if number == 1 { try storage.commit([.makeTree(sample(1, "a"))]) }
      try storage.commit([.append(sample(number), to: TreeNumber(1))])
      storage.close()
    }

    /// The way in which a backup was restored; nil if changes were lost instead.
    @Test(arguments: [nil, .into, .wholeFolder, .besideNoMarker] as [BackupCopy.Way?])
    func `it is used at once, and stored when there is room`(way: BackupCopy.Way?) throws {
      try write(1)
      if way == nil {
        try SQLiteStorage(folder: folder.path).recordLoss(entry: 2, revision: 2)
      }
      if let way {
        let copy = try BackupCopy(of: folder)
        try write(2)
        _ = try copy.put(way, folder)
      }
      for _ in 1...2 {
        let failures = try FailingDisk.whileSyncsFail(of: log, with: ENOSPC) { () throws in
          let storage = try SQLiteStorage(folder: folder.path)
          #expect(try storage.generations().current == Revision(1_000_000))
          #expect(throws: StorageError.self) { try storage.probe() }
          #expect(throws: StorageError.self) { try storage.commit([.makeTree(sample(2, "b"))]) }
          #expect(try storage.allEntries(of: 1).count == 1)
        }
        #expect(failures > 0)
      }
      // The changes that are lost now were shown in the generation that is not stored.
      _ = try FailingDisk.whileSyncsFail(of: log, with: ENOSPC) { () throws in
        try SQLiteStorage(folder: folder.path).recordLoss(entry: 2, revision: 1_000_001)
      }
      do {
        let storage = try SQLiteStorage(folder: folder.path)
        #expect(try storage.generations().current == Revision(2_000_000))
        try storage.commit([.append(sample(2), to: TreeNumber(1))])
      }
      let storage = try SQLiteStorage(folder: folder.path)
      #expect(try storage.generationCause() == nil)
      #expect(try storage.generations().current == Revision(2_000_000))
    }

    @Test(arguments: ["trees.sqlite-wal", "generation.new"])
    func `without room, a start keeps the marker, and begins no generation`(file: String) throws {
      try write(1)
      let path = "\(folder.path)/\(GenerationMarker.name)"
      for number in 1...2 {
        let marker = try #require(try GenerationMarker.read(path))
        let failures = try FailingDisk.whileSyncsFail(of: "\(folder.path)/\(file)", with: ENOSPC) {
          () throws in
          let storage = try SQLiteStorage(folder: folder.path)
          #expect(try storage.generationCause() == nil)
          #expect(try storage.allEntries(of: 1).count == number)
        }
        #expect(failures > 0)
        #expect(try GenerationMarker.read(path)?.nonce == marker.nonce)
        #expect(folder.bytes(of: GenerationMarker.name + ".new") == nil)
        let storage = try SQLiteStorage(folder: folder.path)
        #expect(try GenerationMarker.read(path)?.nonce != marker.nonce, "there is room again")
        #expect(try storage.generationCause() == nil && storage.generations() == Generations())
        try storage.commit([.append(sample(number + 1), to: TreeNumber(1))])
        storage.close()
      }
    }
  }
}
