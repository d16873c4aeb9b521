import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// The engines of storage, which must all do the same.
enum Engine: CaseIterable {
  case memory
  case sqlite
  case postgresql

  /// The engines that can be tested; the last one needs a server, which may be missing.
  static var allCases: [Engine] {
    PostgreSQLServer.programs == nil ? [.memory, .sqlite] : [.memory, .sqlite, .postgresql]
  }
}

/// Storage of some engine.
final class StorageUnderTest {
  private(set) var storage: any TreeStorage
  /// The instance that owns a database.
  private var instance: OneSlot?
  private let place: Place
  private var memoryBackup: MemoryStorage.Backup?

  /// The place of what is stored.
  private enum Place {
    case process
    case folder(TemporaryFolder)
    case database(PostgreSQLServer, name: String, TemporaryFolder)
  }

  init(_ engine: Engine) throws {
    switch engine {
    case .memory: place = .process
    case .sqlite: place = .folder(try TemporaryFolder())
    case .postgresql:
      let server = try #require(PostgreSQLServer.shared)
      place = .database(server, name: try server.makeDatabase(), try TemporaryFolder())
    }
    storage = MemoryStorage()
    try open()
  }

  /// Few, so that they are sorted often.
  private static let maxArrivals = 20
  /// Short, so that nobody waits long for that of a backup.
  private static let leaseMilliseconds = 1_000

  private func open() throws {
    switch place {
    case .process: break
    case .folder(let folder):
      storage = try SQLiteStorage(folder: folder.path, maxArrivals: Self.maxArrivals)
    case .database(let server, let name, _):
      let instance = try OneSlot(server.uri(of: name), leaseMilliseconds: Self.leaseMilliseconds)
      storage = instance.storage
      self.instance = instance
    }
  }

  /// Opens it anew, where what is stored outlives the process.
  func reopen() throws {
    if case .process = place { return }
    // What is stored belongs to one at a time.
    storage = MemoryStorage()
    instance = nil
    try open()
  }

  /// Copies all that is stored now.
  func backUp() throws {
    switch place {
    case .process: memoryBackup = (storage as? MemoryStorage)?.backUp()
    case .folder(let folder): try BackupCopy.make(of: folder, at: "\(folder.path)/backup")
    case .database(let server, let name, let folder):
      try server.dump(name, to: "\(folder.path)/backup")
    }
  }

  /// Puts the copy in the place of what is stored, and opens it.
  func restore() throws {
    switch place {
    case .process:
      if let memory = storage as? MemoryStorage, let memoryBackup { memory.restore(memoryBackup) }
      return
    case .folder(let folder):
      storage = MemoryStorage()
      try folder.write(folder.bytes(of: "backup"), to: SQLiteStorage.fileName)
    case .database(let server, let name, let folder):
      storage = MemoryStorage()
      instance = nil
      _ = try server.sql("DROP SCHEMA tree_service, tree_service_00 CASCADE", in: name)
      try server.load("\(folder.path)/backup", into: name)
    }
    try open()
  }

  /// Removes all that nothing refers to, a little at a time.
  func sweep() throws { while try storage.sweep(limit: 2) {} }
}

/// An instance alone with a database of a single slot.
final class OneSlot: Sendable {
  let storage: PostgreSQLStorage
  private let cluster: PostgreSQLCluster

  init(
    _ uri: String,
    leaseMilliseconds: Int = PostgreSQLCluster.leaseMilliseconds
  ) throws(StorageError) {
    cluster = try PostgreSQLCluster(uri: uri, slots: 1, leaseMilliseconds: leaseMilliseconds)
    guard let storage = try cluster.acquire(0) else { throw .failed("the slot is another's") }
    self.storage = storage
    try cluster.start(hear: { _ in }, lose: {})
  }

  func close() {
    storage.close()
    cluster.close()
  }

  deinit { close() }
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
