import Glibc
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// A store to which short and long entries are written at random, with failures in between.
///
/// The model has the acknowledged entries of each tree. After each kill, the store must have just
/// these, and no piece of any other entry.
struct WrittenAheadRun {
  private let seed: UInt64
  private let folder: TemporaryFolder
  private var random: SeededGenerator
  private var storage: SQLiteStorage?
  private var entries: [[StoredEntry]] = [[], [], []]
  /// The entry that is being written ahead, and the index of its tree.
  private var ahead: (entry: StoredEntry, tree: Int)?
  /// The number of entries that were begun, so that no two are alike.
  private var count = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    folder = try TemporaryFolder()
    try open()
    try inUse().commit(entries.indices.map { .makeTree(sample($0 + 1, "t\($0)")) })
  }

  private mutating func open() throws {
    storage = nil
    storage = try SQLiteStorage(inTheSameFileOf: folder, maxArrivals: 20)
  }

  private func inUse() throws -> SQLiteStorage { try #require(storage) }

  mutating func step() throws {
    switch random.number(in: 0...15) {
    case 0...3: try commitShort()
    case 4...8: try writeAhead()
    case 9...10: try commitAhead()
    // The same number is used again, by another entry.
    case 11: ahead = nil
    case 12: try failForAWhile()
    case 13: try sweep()
    case 14:
      try open()
      ahead = nil
    default: try checkAfterKill()
    }
    try check(inUse())
  }

  // MARK: Writing

  private mutating func makeEntry(of tree: Int, bytes: Int) -> StoredEntry {
    count += 1
    var entry = sample(entries[tree].count + 1, bytes: bytes)
    for index in entry.body.indices {
      entry.body[index] = UInt8(truncatingIfNeeded: count &+ index >> 10)
    }
    return entry
  }

  private mutating func commitShort() throws {
    let tree = random.number(in: 0...2)
    // Entries of the same tree do not overtake the long one.
    guard ahead?.tree != tree else { return }
    let bytes = random.choice([8, 8, 2_000, 1 << 16, 200_000])
    let entry = makeEntry(of: tree, bytes: bytes)
    try inUse().commit([.append(entry, to: TreeNumber(tree + 1))])
    entries[tree].append(entry)
  }

  private mutating func writeAhead() throws {
    if ahead == nil {
      let tree = random.number(in: 0...2)
      ahead = (makeEntry(of: tree, bytes: random.number(in: 70_000...900_000)), tree)
    }
    guard let ahead else { return }
    let bytes = random.number(in: 1...3) << 16
    _ = try inUse().writeAhead(ahead.entry, of: TreeNumber(ahead.tree + 1), bytes: bytes)
  }

  /// Commits the long entry, whatever was written ahead of it.
  private mutating func commitAhead() throws {
    guard let ahead else { return }
    let change = StorageChange.append(ahead.entry, to: TreeNumber(ahead.tree + 1))
    if random.oneIn(3), let known = entries[ahead.tree].first {
      // Storage refuses the second change, and so both.
      let refused = StorageChange.append(known, to: TreeNumber(ahead.tree + 1))
      #expect(throws: StorageError.self) { try inUse().commit([change, refused]) }
    }
    try inUse().commit([change])
    entries[ahead.tree].append(ahead.entry)
    self.ahead = nil
  }

  private mutating func failForAWhile() throws {
    let (call, number) = (random.choice(FailingDisk.Call.allCases), random.choice([EIO, ENOSPC]))
    let file = random.choice(["", "/trees.sqlite-wal"])
    FailingDisk.fail(call, of: folder.path + file, with: number)
    do {
      defer { FailingDisk.mend() }
      for _ in 0..<random.number(in: 1...3) { try tryWrite() }
    }
    do {
      try inUse().probe()
    } catch {
      try #require("\(error)".contains("start the service anew"))
      try open()
    }
  }

  /// Writes something, or expects that it had no effect.
  private mutating func tryWrite() throws {
    do {
      switch random.number(in: 0...2) {
      case 0: try commitShort()
      case 1: try writeAhead()
      default: try commitAhead()
      }
    } catch let error as StorageError {
      #expect(error.isOfDisk, "seed \(seed): \(error)")
      // All that waits is lost with it.
      ahead = nil
    }
  }

  private mutating func sweep() throws {
    _ = try inUse().sweep(limit: random.number(in: 1...100))
    try inUse().tidy()
  }

  // MARK: Checking

  private func check(_ storage: SQLiteStorage) throws {
    for (index, entries) in entries.enumerated() {
      let found = try storage.allEntries(of: index + 1)
      try #require(found == entries, "seed \(seed), after \(count) entries, tree \(index)")
    }
  }

  /// Checks what the next start would find if the process were killed now.
  func checkAfterKill() throws {
    // Another process sees the pieces of the entry, and no damage.
    #expect(try SQLiteStorage(reading: folder.path).findDamage() == [], "seed \(seed)")
    let copy = try TemporaryFolder()
    for suffix in ["", SQLiteStorage.logSuffix] {
      let name = SQLiteStorage.fileName + suffix
      if let bytes = folder.bytes(of: name) { try copy.write(bytes, to: name) }
    }
    let storage = try SQLiteStorage(inTheSameFileOf: copy, maxArrivals: 20)
    try check(storage)
    #expect(try storage.findDamage() == [], "seed \(seed)")
    let (pieces, ranges) = try storage.write { connection throws(StorageError) in
      (
        try connection.rows("SELECT count(*) FROM pieces") { $0.integer(0) },
        try connection.rows("SELECT count(*) FROM garbage") { $0.integer(0) }
      )
    }
    let rests = entries.joined().map { max(0, ($0.body.count - 1) / LongEntries.pieceBytes) }
    #expect(pieces == [rests.reduce(0, +)] && ranges == [0], "seed \(seed)")
  }
}
