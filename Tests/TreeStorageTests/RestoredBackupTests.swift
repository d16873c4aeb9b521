import Foundation
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// A restored backup begins a generation; anything else does not.
@Suite(.serialized) struct RestoredBackupTests {
  private let folder: TemporaryFolder
  private static let tree = TreeNumber(1)

  init() throws { folder = try TemporaryFolder() }

  /// Opens the database of a folder, and returns its generations.
  ///
  /// Expects that a reader gets the same answer before.
  private func look(_ folder: TemporaryFolder) throws -> (isRestored: Bool, starts: [UInt64]) {
    let isExpected = try SQLiteStorage(reading: folder.path).generationCause() == .restoredBackup
    let storage = try SQLiteStorage(folder: folder.path)
    let isRestored = try storage.generationCause() == .restoredBackup
    #expect(isRestored == isExpected, "--check says the same before")
    #expect(try storage.findDamage() == [])
    let reader = try SQLiteStorage(reading: folder.path)
    #expect(try reader.generations() == storage.generations() && reader.generationCause() == nil)
    return (isRestored, try storage.generations().starts.map(\.number))
  }

  /// Appends entries to the tree, one in each commit.
  private func write(
    _ numbers: ClosedRange<Int>,
    bytes: Int = 8,
    to folder: TemporaryFolder? = nil
  ) throws {
    let storage = try SQLiteStorage(folder: (folder ?? self.folder).path)
    if numbers.lowerBound == 1 { try storage.commit([.makeTree(sample(1, "a"))]) }
    for number in numbers {
      try storage.commit([.append(sample(number, bytes: bytes), to: Self.tree)])
    }
    storage.close()
  }

  private func backUp() throws -> BackupCopy { try BackupCopy(of: folder) }

  @Test(arguments: BackupCopy.Way.allCases, [8, 2_000])
  func `a restored backup begins one generation, whatever was written since it was made`(
    way: BackupCopy.Way,
    bytes: Int
  ) throws {
    try write(1...2)
    let copy = try backUp()
    try write(3...3, bytes: bytes)
    let restored = try copy.put(way, folder)
    #expect(try look(restored) == (true, [1_000_000]))
    #expect(try look(restored) == (false, [1_000_000]))
    try write(3...9, bytes: bytes, to: restored)
    #expect(try look(restored) == (false, [1_000_000]))
  }

  @Test func `a backup without later writes, in the same file, begins none`() throws {
    try write(1...2)
    let copy = try backUp()
    #expect(try copy.put(.into, folder) === folder)
    #expect(try look(folder) == (false, []))
  }

  @Test(arguments: [BackupCopy.Way.over, .into, .wholeFolder])
  func `each restored backup begins above all earlier generations`(way: BackupCopy.Way) throws {
    try write(1...2)
    let copy = try backUp()
    try write(3...3)
    let last = try backUp()
    for restore in 1...3 {
      _ = try copy.put(way, folder)
      #expect(try look(folder) == (true, [UInt64(restore) * 1_000_000]))
      try write(3...9)
    }
    _ = try last.put(way, folder)
    #expect(try look(folder) == (true, [4_000_000]), "what was lost is back")
  }

  @Test func `the next start after lost changes begins one generation`() throws {
    try write(1...2)
    do {
      let storage = try SQLiteStorage(folder: folder.path)
      storage.recordLoss(entry: 2, revision: 2)
      // A later commit changes nothing, because the lost changes may have been seen.
      try storage.commit([.append(sample(3, bytes: 8), to: Self.tree)])
      #expect(try storage.generationCause() == nil && storage.generations() == Generations())
    }
    #expect(try SQLiteStorage(reading: folder.path).generationCause() == .lostChanges)
    for cause in [GenerationCause.lostChanges, nil] {
      let storage = try SQLiteStorage(folder: folder.path)
      #expect(try storage.generationCause() == cause)
      #expect(try storage.generations().starts == [Revision(1_000_000)])
    }
  }

  /// Some file systems reuse the number of a removed file at once.
  @Test func `the marker detects a backup after all files of the database were removed`() throws {
    try write(1...2)
    try BackupCopy.make(of: folder, at: "\(folder.path)/backup")
    let copy = try #require(folder.bytes(of: "backup"))
    for restore in 1...2 {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      for name in names where name.hasPrefix(SQLiteStorage.fileName) {
        try folder.write(nil, to: name)
      }
      try folder.write(copy, to: SQLiteStorage.fileName)
      #expect(try look(folder) == (true, [UInt64(restore) * 1_000_000]))
    }
    try folder.write(nil, to: SQLiteStorage.fileName)
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(
      try storage.generationCause() == .restoredBackup
        && storage.generations().current == Revision(3_000_000)
    )
  }

  @Test func `a missing or incomplete marker begins one generation`() throws {
    try write(1...2)
    let whole = try #require(folder.bytes(of: GenerationMarker.name))
    var starts: [UInt64] = []
    for left in [nil, [], Array(whole.prefix(20)), whole.map { _ in 0 }] as [[UInt8]?] {
      try folder.write(left, to: GenerationMarker.name)
      starts.append(UInt64(starts.count + 1) * 1_000_000)
      #expect(try look(folder) == (true, starts))
      #expect(try look(folder) == (false, starts))
    }
  }

  @Test func `a renamed folder begins no generation, and a copied one does`() throws {
    try write(1...2)
    let (moved, copied) = (try TemporaryFolder(), try TemporaryFolder())
    for name in [SQLiteStorage.fileName, GenerationMarker.name] {
      try copied.write(folder.bytes(of: name), to: name)
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/\(name)",
        toPath: "\(moved.path)/\(name)"
      )
    }
    #expect(try look(moved) == (false, []))
    #expect(try look(copied) == (true, [1_000_000]))
  }

  @Test func `a crash while a generation begins does not begin another one`() throws {
    try write(1...2)
    let copy = try backUp()
    try write(3...3)
    let marker = "\(folder.path)/\(GenerationMarker.name)"
    let known = try #require(try GenerationMarker.read(marker))
    _ = try copy.put(.into, folder)
    // The marker has a new token, and the database does not.
    var begun = known
    (begun.token, begun.commits) = (known.token ^ 1, 0)
    _ = try GenerationMarker(marker, begun)
    #expect(try look(folder) == (true, [1_000_000]))
    // The database has the new token, and the marker is as it was first written.
    let current = try #require(try GenerationMarker.read(marker))
    (begun.token, begun.nonce) = (current.token, current.nonce)
    _ = try GenerationMarker(marker, begun)
    #expect(try look(folder) == (false, [1_000_000]))
    _ = try copy.put(.into, folder)
    #expect(try look(folder) == (true, [2_000_000]))
  }

  /// The revisions of the backup and of what it replaced, and the first revision of the generation.
  @Test(
    arguments: [
      (1, 2, 1_000_000), (499_997, 499_997, 1_000_000), (500_000, 500_001, 2_000_000),
      (5_300_000, 5_300_001, 6_000_000), (10, 1_700_000, 3_000_000),
    ] as [(Int, Int, UInt64)],
    [BackupCopy.Way.into, .wholeFolder, .besideNoMarker]
  )
  func `a generation begins above all revisions that were given out`(
    numbers: (backup: Int, lost: Int, start: UInt64),
    way: BackupCopy.Way
  ) throws {
    func append(_ number: Int, _ revision: Int) throws {
      let storage = try SQLiteStorage(folder: folder.path)
      if number == 1 { try storage.commit([.makeTree(sample(1, "a"))]) }
      var entry = sample(number)
      entry.revision = revision
      try storage.commit([.append(entry, to: Self.tree)])
    }
    try append(1, numbers.backup)
    let copy = try backUp()
    try append(2, numbers.lost)
    _ = try copy.put(way, folder)
    #expect(try look(folder) == (true, [numbers.start]))
  }

  @Test func `a generation begins above retired revisions and numbers of entries`() throws {
    let storage = try SQLiteStorage(folder: folder.path)
    var entry = sample(1)
    entry.number = 1_600_000
    try storage.commit([.makeTree(sample(1, "a")), .append(entry, to: Self.tree)])
    storage.close()
    let restored = try backUp().put(.intoEmptyFolder, folder)
    #expect(try look(restored) == (true, [3_000_000]))
    let retired = RetiredRevision(slot: 3, revision: Revision(7_000_000))
    try SQLiteStorage(folder: restored.path).commit([.retire(retired)])
    let again = try TemporaryFolder()
    try again.write(restored.bytes(of: SQLiteStorage.fileName), to: SQLiteStorage.fileName)
    #expect(try look(again) == (true, [3_000_000, 8_000_000]))
  }

  @Test func `a damaged generation is refused`() throws {
    try write(1...1)
    do {
      var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
      try other.run("UPDATE generations SET token = token + 1")
    }
    #expect { try SQLiteStorage(folder: folder.path) } throws: { "\($0)".contains("generations") }
  }

  @Test(arguments: Engine.allCases)
  func `every engine begins a generation`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    #expect(try under.storage.generations() == Generations())
    try under.storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    try under.backUp()
    var last = Revision(0)
    for restore: UInt64 in 1...2 {
      try under.storage.commit([.append(sample(2), to: Self.tree)])
      try under.reopen()
      try under.restore()
      let start = try under.storage.generations().current
      #expect(start > last && start.number % Generations.step == 0)
      // A database has nothing that outlives the restoring, but the time.
      if engine != .postgresql { #expect(start == Revision(restore * 1_000_000)) }
      last = start
      #expect(try under.storage.generations() == Generations([start]))
      #expect(try under.storage.allEntries(of: 1) == [sample(1)])
      try under.reopen()
      #expect(try under.storage.generations() == Generations([start]))
    }
  }
}
