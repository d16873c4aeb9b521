import TestSupport
import TreeDomain

@testable import TreeStorage

/// The engines of storage, which must all do the same.
enum Engine: CaseIterable {
  case memory
  case sqlite
}

/// Storage of some engine.
final class StorageUnderTest {
  private(set) var storage: any TreeStorage
  private let folder: TemporaryFolder?
  private var memoryBackup: MemoryStorage.Backup?

  init(_ engine: Engine) throws {
    switch engine {
    case .memory:
      storage = MemoryStorage()
      folder = nil
    case .sqlite:
      let folder = try TemporaryFolder()
      self.folder = folder
      storage = try SQLiteStorage(folder: folder.path, maxArrivals: Self.maxArrivals)
    }
  }

  /// Few, so that they are sorted often.
  private static let maxArrivals = 20

  /// Opens it anew, where what is stored outlives the process.
  func reopen() throws {
    guard let folder else { return }
    // The folder belongs to one at a time.
    storage = MemoryStorage()
    storage = try SQLiteStorage(folder: folder.path, maxArrivals: Self.maxArrivals)
  }

  /// Copies all that is stored now.
  func backUp() throws {
    if let memory = storage as? MemoryStorage { memoryBackup = memory.backUp() }
    guard let folder else { return }
    try BackupCopy.make(of: folder, at: "\(folder.path)/backup")
  }

  /// Puts the copy in the place of what is stored, and opens it.
  func restore() throws {
    if let memory = storage as? MemoryStorage, let memoryBackup { memory.restore(memoryBackup) }
    guard let folder else { return }
    storage = MemoryStorage()
    try folder.write(folder.bytes(of: "backup"), to: SQLiteStorage.fileName)
    storage = try SQLiteStorage(folder: folder.path, maxArrivals: Self.maxArrivals)
  }

  /// Removes all that nothing refers to, a little at a time.
  func sweep() throws { while try storage.sweep(limit: 2) {} }
}

/// A tree by its number.
func sample(_ number: Int, _ id: String, isPrivate: Bool = false) -> StoredTree {
  guard let id = TreeID(validating: id.utf8) else { preconditionFailure("\(id) names no tree") }
  let about = Array("about \(number)".utf8)
  return StoredTree(number: TreeNumber(number), id: id, isPrivate: isPrivate, about: about)
}

/// An entry of some bytes.
func sample(_ number: Int, bytes: Int = 8) -> StoredEntry {
  let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)
  return StoredEntry(number: number, revision: 10 * number, nodeCount: 3 * number, body: body)
}

/// A snapshot of a tree up to an entry.
func sample(upTo entry: Int, of tree: Int, parts: Int = 0) -> StoredSnapshot {
  StoredSnapshot(
    tree: TreeNumber(tree),
    entry: entry,
    parts: parts,
    revision: 10 * entry,
    nodeCount: 3 * entry
  )
}

/// A session of a tree.
func sample(_ id: SessionID, of tree: Int, idle: Int = 0, used: Int = 0) -> StoredSession {
  StoredSession(
    id: id,
    tree: TreeNumber(tree),
    isPrivate: false,
    idleTimeoutSeconds: idle,
    lastUse: used
  )
}

extension SecretDigest {
  /// A digest of random bytes.
  static func sample(_ random: inout SeededGenerator) -> SecretDigest {
    let bytes = (0..<SessionSecret.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    guard let secret = SessionSecret(bytes: bytes) else { preconditionFailure("it has all bytes") }
    return SecretDigest(of: secret)
  }
}

extension TreeStorage {
  /// All entries of a tree behind one.
  func allEntries(of tree: Int, after number: Int = 0) throws(StorageError) -> [StoredEntry] {
    var entries: [StoredEntry] = []
    while true {
      let last = entries.last?.number ?? number
      let more = try self.entries(of: TreeNumber(tree), after: last, bytes: 20)
      if more.isEmpty { return entries }
      entries += more
    }
  }

  /// The parts of the snapshot of a tree; `nil` where there is none.
  func parts(of tree: Int) throws(StorageError) -> [[UInt8]]? {
    guard let snapshot = try snapshot(of: TreeNumber(tree)) else { return nil }
    var parts: [[UInt8]] = []
    for index in 0..<snapshot.parts { parts.append(try part(index, of: snapshot)) }
    return parts
  }
}

extension SQLiteConnection {
  /// Makes a file with no entries but long ones one of an older format.
  mutating func takeBack(toFormat format: Int) throws(StorageError) {
    var statements = [
      "DROP VIEW journal", "DROP TABLE bundles", "ALTER TABLE entries DROP COLUMN heads",
      "DROP TABLE generations", "DROP TABLE markers", "ALTER TABLE sessions DROP COLUMN is_view",
    ]
    if format < Self.formatOfNumbers {
      statements += [
        "DROP INDEX creations_by_number", "ALTER TABLE creations DROP COLUMN number",
      ]
    }
    if format >= Self.formatOfArrivals { statements += Self.arrivals }
    if format < Self.formatOfClock { statements.append("DROP TABLE clock") }
    if format < Self.formatOfDigests {
      statements.append("ALTER TABLE sessions RENAME COLUMN digest TO secret")
    }
    if format < Self.formatOfRetired { statements.append("DROP TABLE retired") }
    if format < Self.formatOfSecrets {
      statements.append("DROP INDEX sessions_by_selector")
      statements.append("ALTER TABLE sessions DROP COLUMN secret")
    }
    for statement in statements + ["PRAGMA user_version=\(format)"] { try run(statement) }
  }

  /// All entries, each as a row of the view of them, the first tree's first.
  mutating func journalRows() throws(StorageError) -> [JournalRow] {
    try rows("SELECT tree, number, revision, nodes, body FROM journal ORDER BY tree, number") {
      let (number, revision, nodeCount) = ($0.integer(1), $0.integer(2), $0.integer(3))
      return JournalRow(
        tree: $0.integer(0),
        entry: StoredEntry(
          number: number,
          revision: revision,
          nodeCount: nodeCount,
          body: $0.bytes(4)
        )
      )
    }
  }
}

/// An entry, as the view of all of them shows it.
struct JournalRow: Equatable {
  let tree: Int
  let entry: StoredEntry
}
