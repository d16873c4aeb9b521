import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Entries whose bodies are stored in pieces.
@Suite struct LongEntryTests {
  private static let tree = TreeNumber(1)

  /// The pieces of different entries must not be mixed.
  @Test(arguments: Engine.allCases)
  func `long entries are returned as they were written, between short ones`(
    engine: Engine
  ) throws {
    let under = try StorageUnderTest(engine)
    let piece = LongEntries.pieceBytes
    let sizes = [8, piece - 1, piece, piece + 1, 8, 2 * piece, 3 * piece + 7, 2_000, 8]
    let entries = sizes.enumerated().map { place, bytes in
      var entry = sample(place + 1, bytes: bytes)
      for index in entry.body.indices { entry.body[index] &+= UInt8(index >> 11 & 127) }
      return entry
    }
    try under.storage.commit([.makeTree(sample(1, "a"))])
    for entry in entries { try under.storage.commit([.append(entry, to: Self.tree)]) }
    #expect(try under.storage.allEntries(of: 1) == entries)
    try under.reopen()
    for place in entries.indices {
      let found = try under.storage.entries(of: Self.tree, after: place, bytes: 1)
      #expect(found == [entries[place]])
      let rest = try under.storage.entries(of: Self.tree, after: place, bytes: .max)
      #expect(rest == Array(entries[place...]))
    }
  }

  /// The removal of an import would otherwise delay all commits for as long as writing it did.
  @Test func `a long entry is removed in small steps`() throws {
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(folder: folder.path)
    let (tree, bytes) = (TreeNumber(1), 8 << 20)
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: tree)])
    try storage.commit([.append(sample(2, bytes: bytes), to: tree)])
    try storage.commit([.append(sample(3), to: tree)])
    let snapshot = sample(upTo: 2, of: 1, parts: 1)
    try storage.commit([.addPart([7], index: 0, of: sample(upTo: 2, of: 1))])
    try storage.commit([.finishSnapshot(snapshot)])
    var sweeps = 0
    while try storage.sweep(limit: 1_000) {
      sweeps += 1
      #expect(try storage.allEntries(of: 1, after: 2) == [sample(3)])
    }
    #expect(sweeps >= bytes / GarbageSweep.maxBytes)
    let unused = try storage.read { connection throws(StorageError) in
      try connection.unusedBytes()
    }
    #expect(unused >= bytes)
  }

  @Test func `a file without the table of pieces gets it`() throws {
    let folder = try TemporaryFolder()
    let tree = TreeNumber(1)
    do {
      let storage = try SQLiteStorage(folder: folder.path)
      try storage.commit([.makeTree(sample(1, "a"))])
      try storage.write { connection throws(StorageError) in
        try connection.run("DROP TABLE pieces")
      }
    }
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.append(sample(1, bytes: 600_000), to: tree)])
    #expect(try storage.allEntries(of: 1) == [sample(1, bytes: 600_000)])
  }
}
