import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Migration from formats up to 4, which stored the secrets of sessions.
struct DigestTests {
  private let folder: TemporaryFolder
  private let ids: [SessionID]
  /// The secrets of the sessions, of a deleted session, and of a stored creation.
  private let secrets: [SessionSecret]

  init() throws {
    folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 11)
    ids = (0..<40).map { _ in SessionID(using: &random) }
    secrets = (0..<42).compactMap { _ in
      SessionSecret(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  private static let kept = StoredCreation(token: [1], time: 5, body: [UInt8](0..<20))

  /// Writes a file of an older format.
  private func writeFile(ofFormat format: Int) throws {
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.makeTree(sample(1, "a")), .keepCreation(Self.kept)])
    for (id, secret) in zip(ids, secrets) {
      var session = sample(id, of: 1)
      // In these formats, the column had the secret, and the checksum was computed over that.
      session.digest = SecretDigest(bytes: secret.bytes)
      try storage.commit([.makeSession(session)])
    }
    let answer = [UInt8](repeating: 7, count: 8) + [2] + secrets[41].bytes
    try storage.commit([.keepCreation(StoredCreation(token: [2], time: 6, body: answer))])
    var connection = try SQLiteConnection(folder.path + "/" + SQLiteStorage.fileName, .writing)
    try connection.run("PRAGMA secure_delete=OFF")
    try connection.run("CREATE TABLE other (bytes BLOB)")
    try connection.run("INSERT INTO other VALUES (?)", .bytes(secrets[40].bytes))
    try connection.run("DELETE FROM other")
    try connection.run("DROP TABLE other")
    if format == SQLiteConnection.formatOfDigests {
      try connection.run("CREATE TABLE leftovers (id INTEGER PRIMARY KEY)")
    }
    try connection.takeBack(toFormat: format)
  }

  /// Returns the indexes of secrets of which the first third is in the files.
  private func found() -> [Int] {
    let files = ["", "-wal"].map { folder.bytes(of: SQLiteStorage.fileName + $0) ?? [] }
    return secrets.indices.filter { index in
      files.contains { $0.firstRange(of: secrets[index].bytes[0..<12]) != nil }
    }
  }

  @Test(arguments: [3, 4])
  func `no secret is left in the files, and each opens its session`(format: Int) throws {
    try writeFile(ofFormat: format)
    #expect(found() == Array(0..<42))
    let reader = try SQLiteStorage(reading: folder.path)
    #expect(try reader.findDamage() == [])
    #expect(try reader.creations() == [Self.kept])
    #expect(try reader.session(ids[0])?.id == ids[0])
    for isFirst in [true, false] {
      let announced = Mutex<[Int]>([])
      let storage = try SQLiteStorage(
        folder: folder.path,
        announce: { [self] bytes in
          announced.withLock { $0.append(bytes) }
          #expect(!found().isEmpty, "it is told before")
        }
      )
      #expect(found() == [])
      let sizes = announced.withLock { $0 }
      #expect(sizes.count == (isFirst ? 1 : 0) && sizes.allSatisfy { $0 > 10_000 })
      for (id, secret) in zip(ids, secrets) {
        #expect(try storage.session(openedBy: SecretDigest(of: secret))?.id == id)
      }
      #expect(try storage.creations() == [Self.kept])
      #expect(try storage.findDamage() == [])
    }
  }

  @Test func `an interrupted migration is completed at the next start`() throws {
    try writeFile(ofFormat: SQLiteConnection.formatOfDigests)
    #expect(found().contains(40))
    _ = try SQLiteStorage(folder: folder.path)
    #expect(!found().contains(40))
    #expect(try SQLiteStorage(reading: folder.path).findDamage() == [])
    let tables = try SQLiteStorage(reading: folder.path).read { connection throws(StorageError) in
      try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
    }
    #expect(tables.contains("sessions") && !tables.contains("leftovers"), "it is done once")
  }

  @Test func `the error of a failed rewrite says how much room it needs`() throws {
    try writeFile(ofFormat: SQLiteConnection.formatOfDigests)
    var connection = try SQLiteConnection(folder.path + "/" + SQLiteStorage.fileName, .writing)
    try connection.run("PRAGMA query_only=ON")
    let announced = Mutex(0)
    var told: StorageError?
    do throws(StorageError) {
      try connection.eraseLeftovers { bytes in announced.withLock { $0 = bytes } }
    } catch {
      told = error
    }
    let bytes = announced.withLock { $0 }
    let says = told?.reason.contains("takes \(bytes) bytes") == true
    #expect(bytes > 10_000 && says, "\(told as Any)")
    #expect(found().contains(40), "it is tried again at the next start")
  }

  @Test func `a damaged session stays damaged, and its secret is erased`() throws {
    try writeFile(ofFormat: 4)
    do {
      var connection = try SQLiteConnection(folder.path + "/" + SQLiteStorage.fileName, .writing)
      try connection.run("UPDATE sessions SET idle_timeout = 77 WHERE id = ?", .bytes(ids[3].bytes))
    }
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(found() == [])
    #expect(throws: StorageError.self) { try storage.session(ids[3]) }
    #expect(try storage.session(ids[4])?.digest == SecretDigest(of: secrets[4]))
  }

  @Test func `erasing secrets fails while another process reads the file`() throws {
    try writeFile(ofFormat: 4)
    var reader = try SQLiteConnection(folder.path + "/" + SQLiteStorage.fileName, .reading)
    try reader.run("BEGIN")
    _ = try reader.pragma("user_version")
    _ = try reader.rows("SELECT count(*) FROM sessions") { $0.integer(0) }
    #expect(throws: StorageError.self) { try SQLiteStorage(folder: folder.path) }
    try reader.run("COMMIT")
    _ = try SQLiteStorage(folder: folder.path)
    #expect(found() == [])
  }
}
