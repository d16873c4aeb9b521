import Foundation
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Files that must not be opened are refused with advice, and stay as they are.
@Suite(.serialized) struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the error of opening the folder; `nil` if there is none.
  private func refusal() -> StorageError? {
    do throws(StorageError) {
      _ = try SQLiteStorage(folder: folder.path)
      return nil
    } catch {
      return error
    }
  }

  /// Returns a database file with one tree, without a log.
  private func sampleFile() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    do {
      let storage = try SQLiteStorage(folder: folder.path)
      try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: TreeNumber(1))])
    }
    #expect(folder.bytes(of: SQLiteStorage.fileName + "-wal") == nil)
    return try #require(folder.bytes(of: SQLiteStorage.fileName))
  }

  @Test func `a file that is no database is refused`() throws {
    let text = Array(String(repeating: "No database. ", count: 1_000).utf8)
    try folder.write(text, to: SQLiteStorage.fileName)
    guard case .damaged = refusal() else {
      Issue.record("\(String(describing: refusal()))")
      return
    }
    #expect(folder.bytes(of: SQLiteStorage.fileName) == text)
  }

  @Test func `a database of another program is refused`() throws {
    var file = try sampleFile()
    // The application id is in bytes 68 to 71 of the header (sqlite.org/fileformat2.html).
    file.replaceSubrange(68..<72, with: [0, 0, 0, 7])
    try folder.write(file, to: SQLiteStorage.fileName)
    #expect(refusal()?.reason.contains("another program") == true)
    #expect(refusal()?.reason.contains("--data") == true)
    #expect(folder.bytes(of: SQLiteStorage.fileName) == file)
  }

  @Test func `another format is refused`() throws {
    var file = try sampleFile()
    // The user version is in bytes 60 to 63.
    file.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    try folder.write(file, to: SQLiteStorage.fileName)
    #expect(refusal()?.reason.contains("format 99") == true)
    #expect(refusal()?.reason.contains("program that wrote it") == true)
    #expect(folder.bytes(of: SQLiteStorage.fileName) == file)
  }

  @Test func `a folder stays locked after other files are removed from it`() throws {
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(refusal()?.reason.contains("in use") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names where !name.hasPrefix(SQLiteStorage.fileName) {
      try folder.write(nil, to: name)
    }
    #expect(refusal()?.reason.contains("in use") == true)
    try storage.commit([.makeTree(sample(1, "a"))])
    #expect(try storage.sharedTrees().count == 1)
  }

  @Test func `a path that is no folder, or where none can be made, is refused`() throws {
    try folder.write([], to: "file")
    for path in ["file", "file/below"] {
      #expect(throws: StorageError.self) { try SQLiteStorage(folder: "\(folder.path)/\(path)") }
    }
    #expect(throws: StorageError.self) { try SQLiteStorage(folder: "/proc/none") }
    // Parent folders are created as well.
    _ = try SQLiteStorage(folder: "\(folder.path)/a/b/c")
  }

  @Test(arguments: ["", "-wal"])
  func `a pipe in place of a file is refused without blocking`(suffix: String) throws {
    _ = try folder.makePipe(SQLiteStorage.fileName + suffix)
    #expect(refusal()?.reason.hasSuffix("is no ordinary file") == true)
    #expect(throws: StorageError.self) { try SQLiteStorage(reading: folder.path) }
  }

  @Test func `all files are accessible for this user only`() throws {
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.makeTree(sample(1, "a"))])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 4)
    for name in names {
      let path = "\(folder.path)/\(name)"
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    storage.close()
  }

  @Test func `a damaged session does not keep the others from expiring`() throws {
    var random = SeededGenerator(seed: 3)
    let ids = (0..<2).map { _ in SessionID(using: &random) }
    do {
      let storage = try SQLiteStorage(folder: folder.path)
      try storage.commit(
        [.makeTree(sample(1, "a"))] + ids.map { .makeSession(sample($0, of: 1, idle: 5)) }
      )
    }
    var file = try #require(folder.bytes(of: SQLiteStorage.fileName))
    // In the table and in its indexes.
    for start in file.indices.dropLast(ids[0].bytes.count)
    where file[start...].starts(with: ids[0].bytes) {
      file[start + ids[0].bytes.count - 1] ^= 1
    }
    try folder.write(file, to: SQLiteStorage.fileName)
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(try storage.sessions(expiredBefore: 99, limit: 9).map(\.id) == [ids[1]])
    #expect(try storage.findDamage() == ["sessions that are not as they were written: 1"])
  }

  /// The log would be beside the target of the link, where nobody checks it.
  @Test func `a link in place of the file is refused`() throws {
    let other = try TemporaryFolder()
    try SQLiteStorage(folder: other.path).close()
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(SQLiteStorage.fileName)",
      withDestinationPath: "\(other.path)/\(SQLiteStorage.fileName)"
    )
    #expect { _ = try SQLiteStorage(folder: folder.path) } throws: { Self.isOfLink($0) }
    #expect { _ = try SQLiteStorage(reading: folder.path) } throws: { Self.isOfLink($0) }
  }

  private static func isOfLink(_ error: any Error) -> Bool {
    "\(error)".contains("is a symbolic link")
  }

  @Test func `no path is taken for a URI`() {
    for (path, name) in [("file:/a", "./file:/a"), (":memory:", "./:memory:"), ("/a", "/a")] {
      #expect(SQLiteConnection.plainName(path) == name)
    }
  }

  /// A process that ends while it creates the file leaves a journal that is not rolled back.
  @Test func `an interrupted creation of the file is rolled back`() throws {
    var connection: SQLiteConnection? = try SQLiteConnection(folder.path + "/other", .writing)
    try connection?.run("PRAGMA journal_mode=DELETE")
    try connection?.run("BEGIN IMMEDIATE")
    try connection?.run("CREATE TABLE something (number INTEGER)")
    try connection?.run("COMMIT")
    // More pages than fit in memory.
    try connection?.run("PRAGMA cache_size=1")
    try connection?.run("BEGIN IMMEDIATE")
    try connection?.run("DROP TABLE something")
    try connection?.run("CREATE TABLE more (bytes BLOB)")
    for _ in 0..<50 {
      let bytes = [UInt8](repeating: 1, count: 5_000)
      try connection?.run("INSERT INTO more VALUES (?)", .bytes(bytes))
    }
    for suffix in ["", "-journal"] {
      let bytes = try #require(folder.bytes(of: "other" + suffix))
      #expect(!bytes.isEmpty)
      try folder.write(bytes, to: SQLiteStorage.fileName + suffix)
    }
    connection = nil
    #expect(throws: StorageError.self) { try SQLiteStorage(reading: folder.path) }
    // The file that is rolled back belongs to another program.
    #expect(refusal()?.reason.contains("another program") == true)
    #expect(folder.bytes(of: SQLiteStorage.fileName + "-journal") == nil)
  }

  /// SQLite deletes a log whose file is missing or has less than a header.
  @Test(arguments: [nil, 0, 1, 99])
  func `a log without its file is refused and kept by all who open it`(bytes: Int?) throws {
    let other = try TemporaryFolder()
    let storage = try SQLiteStorage(folder: other.path)
    try storage.commit([.makeTree(sample(1, "a"))])
    let file = try #require(other.bytes(of: SQLiteStorage.fileName))
    let left = bytes.map { Array(file.prefix($0)) }
    let log = try #require(other.bytes(of: SQLiteStorage.fileName + "-wal"))
    try folder.write(left, to: SQLiteStorage.fileName)
    try folder.write(log, to: SQLiteStorage.fileName + "-wal")
    #expect(try SQLiteStorage.isThere(in: folder.path))
    for _ in 0..<2 {
      guard case .damaged(let reason) = refusal() else {
        Issue.record("\(String(describing: refusal()))")
        return
      }
      #expect(reason.contains("trees.sqlite-wal"))
      #expect(throws: StorageError.damaged(reason)) { try SQLiteStorage(reading: folder.path) }
      #expect(folder.bytes(of: SQLiteStorage.fileName) == left)
      #expect(folder.bytes(of: SQLiteStorage.fileName + "-wal") == log)
    }
  }

  @Test func `reading an empty folder is refused, and creates nothing`() throws {
    #expect(try !SQLiteStorage.isThere(in: folder.path))
    #expect(try !SQLiteStorage.isThere(in: folder.path + "/none"))
    #expect(throws: StorageError.self) { try SQLiteStorage(reading: folder.path) }
    #expect(folder.bytes(of: SQLiteStorage.fileName) == nil)
  }

  @Test func `isThere throws if the content of a folder cannot be determined`() throws {
    try folder.write([1], to: "file")
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: folder.path + "/none"
    )
    for path in [folder.path + "/file", link] {
      #expect(throws: StorageError.self, "\(path)") { try SQLiteStorage.isThere(in: path) }
    }
  }

  @Test func `the row of an interrupted probe is removed by the next, and by opening`()
    throws
  {
    let file = folder.path + "/" + SQLiteStorage.fileName
    var storage: SQLiteStorage? = try SQLiteStorage(folder: folder.path)
    var connection = try SQLiteConnection(file, .writing)
    func left() throws -> Int? {
      try connection.rows("SELECT count(*) FROM parts") { $0.integer(0) }.first
    }
    try connection.fillProbe([0])
    try storage?.probe()
    #expect(try left() == 0)
    try connection.fillProbe([0])
    storage = nil
    storage = try SQLiteStorage(folder: folder.path)
    #expect(try left() == 0)
  }

  @Test func `there is no room for more than the file system has left`() throws {
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(storage.hasRoom(for: 1 << 10) && !storage.hasRoom(for: 1 << 60))
  }
}
