import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Tables with unexpected names or columns are reported as damage, because another try cannot help.
struct SchemaDamageTests {
  private static let columns: KeyValuePairs = [
    "trees": "about", "entries": "body", "bundles": "body", "snapshots": "parts",
    "parts": "body", "sessions": "idle_timeout", "creations": "time", "garbage": "kind",
    "retired": "revision", "clock": "seconds", "generations": "revision",
  ]

  /// Returns a database file with rows in most tables.
  private func sampleFile(_ session: SessionID) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    do {
      let storage = try SQLiteStorage(folder: folder.path)
      let tree = TreeNumber(1)
      let snapshot = sample(upTo: 1, of: 1, parts: 1)
      try storage.commit([
        .makeTree(sample(1, "a")), .append(sample(1), to: tree),
        .append(sample(2, bytes: 2_000), to: tree), .makeSession(sample(session, of: 1)),
        .addPart([1], index: 0, of: snapshot), .finishSnapshot(snapshot),
        .keepCreation(StoredCreation(token: [1], time: 1, body: [2])),
      ])
    }
    return try #require(folder.bytes(of: SQLiteStorage.fileName))
  }

  /// Returns the errors of all operations.
  private func refusals(_ folder: TemporaryFolder, _ session: SessionID) -> [StorageError] {
    var errors: [StorageError] = []
    func attempt(_ body: () throws(StorageError) -> Void) {
      do throws(StorageError) { try body() } catch { errors.append(error) }
    }
    attempt { () throws(StorageError) in
      let storage = try SQLiteStorage(folder: folder.path)
      let tree = TreeNumber(1)
      attempt { () throws(StorageError) in _ = try storage.sharedTrees() }
      attempt { () throws(StorageError) in _ = try storage.allEntries(of: 1, after: 1) }
      attempt { () throws(StorageError) in _ = try storage.parts(of: 1) }
      attempt { () throws(StorageError) in _ = try storage.session(session) }
      attempt { () throws(StorageError) in _ = try storage.creations() }
      attempt { () throws(StorageError) in _ = try storage.retiredRevisions() }
      attempt { () throws(StorageError) in _ = try storage.clockReading() }
      attempt { () throws(StorageError) in _ = try storage.findDamage() }
      attempt { () throws(StorageError) in try storage.commit([.append(sample(3), to: tree)]) }
      attempt { () throws(StorageError) in try storage.commit([.deleteTree(tree)]) }
      attempt { () throws(StorageError) in _ = try storage.sweep(limit: 9) }
    }
    return errors
  }

  @Test func `a renamed column or table is reported as damage`() throws {
    var random = SeededGenerator(seed: 1)
    let session = SessionID(using: &random)
    let file = try sampleFile(session)
    for (table, column) in Self.columns {
      for name in [table, column] {
        var bytes = file
        let start = try #require(bytes.position(of: "CREATE TABLE \(table) ", from: 0))
        let place = try #require(bytes.position(of: name, from: start))
        bytes[place + name.utf8.count - 1] ^= 1
        let folder = try TemporaryFolder()
        try folder.write(bytes, to: SQLiteStorage.fileName)
        let errors = refusals(folder, session)
        #expect(!errors.isEmpty, "\(table).\(name)")
        for error in errors {
          guard case .damaged = error else {
            Issue.record("\(table).\(name): \(error)")
            continue
          }
        }
      }
    }
  }
}

extension [UInt8] {
  /// Returns the first position of a text from a place on.
  fileprivate func position(of text: String, from start: Int) -> Int? {
    indices.dropFirst(start).first { self[$0...].starts(with: text.utf8) }
  }
}
