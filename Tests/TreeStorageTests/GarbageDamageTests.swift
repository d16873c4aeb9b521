import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Ranges of rows to remove, in which one flipped bit may name another tree.
struct GarbageDamageTests {
  private let folder: TemporaryFolder

  /// Makes three trees: one deleted, one unchanged, and one with a second snapshot.
  init() throws {
    folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 5)
    let storage = try SQLiteStorage(folder: folder.path)
    for number in 1...3 {
      let tree = TreeNumber(number)
      try storage.commit([.makeTree(sample(number, "t\(number)"))])
      try storage.commit([.makeSession(sample(SessionID(using: &random), of: number))])
      // Long entries are written to their final table at once.
      for entry in 1...4 { try storage.commit([.append(sample(entry, bytes: 5_000), to: tree)]) }
    }
    for number in [2, 3] { try takeSnapshot(upTo: 1, of: number, storage) }
    while try storage.sweep(limit: 100) {}
    try takeSnapshot(upTo: 3, of: 3, storage)
    try storage.commit([.deleteTree(TreeNumber(1))])
  }

  private func takeSnapshot(upTo entry: Int, of tree: Int, _ storage: SQLiteStorage) throws {
    let snapshot = sample(upTo: entry, of: tree, parts: 2)
    try storage.commit([.addPart([1], index: 0, of: snapshot)])
    try storage.commit([.addPart([2], index: 1, of: snapshot), .finishSnapshot(snapshot)])
  }

  private func connect() throws -> SQLiteConnection {
    try SQLiteConnection(folder.path + "/" + SQLiteStorage.fileName, .writing)
  }

  /// Returns the rows of the tables from which ranges are removed.
  private func contents(_ connection: inout SQLiteConnection) throws -> [String] {
    var rows: [String] = []
    for (name, table) in [("place", "entries"), ("place", "parts"), ("tree", "sessions")] {
      let sql = "SELECT '\(table)', \(name) FROM \(table) ORDER BY 2"
      rows += try connection.rows(sql) { "\($0.text(0)) \($0.integer(1))" }
    }
    return rows
  }

  @Test func `a damaged range is skipped and reported, and everything in use stays`() throws {
    var connection = try connect()
    let ranges = try GarbageRange.list(after: 0, limit: 100, &connection)
    #expect(Set(ranges.map(\.kind)) == [1, 2, 3])
    #expect(try GarbageRange.damagedCount(&connection) == 0)
    try connection.run("BEGIN")
    while try GarbageSweep.run(limit: 3, &connection) {}
    let inUse = Set(try contents(&connection))
    #expect(try GarbageRange.list(after: 0, limit: 1, &connection).isEmpty)
    try connection.run("ROLLBACK")
    var told = 0
    for range in ranges {
      for column in ["kind", "first", "last"] {
        for bit in 0..<64 {
          try connection.run("BEGIN")
          try connection.run(
            "UPDATE garbage SET \(column) = (\(column) | ?1) - (\(column) & ?1) WHERE id = ?2",
            .integer(1 << bit),
            .integer(range.id)
          )
          let damaged = try GarbageRange.damagedCount(&connection)
          while try GarbageSweep.run(limit: 3, &connection) {}
          let left = try GarbageRange.list(after: 0, limit: 100, &connection)
          #expect(inUse.isSubset(of: try contents(&connection)), "\(range), \(column), bit \(bit)")
          #expect(left.count == damaged && damaged <= 1, "the others are removed")
          told += damaged
          try connection.run("ROLLBACK")
        }
      }
    }
    #expect(told > 300)
  }

  @Test func `a check reports damaged ranges, and a start does not remove them`() throws {
    var connection = try connect()
    try connection.run("UPDATE garbage SET last = last | (1 << 37) WHERE kind = 1")
    let storage = try SQLiteStorage(reading: folder.path)
    let findings = try storage.findDamage()
    #expect(findings.count == 1 && findings.first?.contains("`garbage`") == true, "\(findings)")
    let opened = try SQLiteStorage(folder: folder.path)
    while try opened.sweep(limit: 100) {}
    #expect(try opened.allEntries(of: 2, after: 1).count == 3)
    #expect(try opened.findDamage() == findings)
  }
}
