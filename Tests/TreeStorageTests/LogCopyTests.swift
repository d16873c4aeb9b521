import Dispatch
import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// The log is copied into the file while commits continue, and starts again at its front.
struct LogCopyTests {
  private let folder: TemporaryFolder
  private let desk = Desk()

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> SQLiteStorage {
    let storage = try SQLiteStorage(folder: folder.path, assign: { [desk] in desk.assign($0) })
    try storage.commit([.makeTree(sample(1, "a"))])
    return storage
  }

  /// Returns the size of the file or, with a suffix, of its log in bytes.
  private func size(_ suffix: String = "") -> Int {
    folder.bytes(of: SQLiteStorage.fileName + suffix)?.count ?? 0
  }

  @Test func `commits do not wait for a copy of the log`() throws {
    let storage = try open()
    try storage.commitPages(of: 1...6)
    #expect(desk.count == 1)
    #expect(size() < 1 << 20 && size(SQLiteStorage.logSuffix) > 6 << 20)
    desk.work()
    #expect(size() > 6 << 20)
    let before = size(SQLiteStorage.logSuffix)
    try storage.commitPages(of: 7...8)
    #expect(size(SQLiteStorage.logSuffix) == before, "the log began anew")
    #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...8))
  }

  @Test func `whenIdle waits until the copy is complete`() throws {
    let storage = try open()
    let calls = Mutex(0)
    let count: @Sendable () -> Void = { calls.withLock { $0 += 1 } }
    storage.whenIdle(count)
    #expect(calls.withLock { $0 } == 1)
    try storage.commitPages(of: 1...6)
    storage.whenIdle(count)
    storage.whenIdle(count)
    #expect(calls.withLock { $0 } == 1)
    desk.work()
    #expect(calls.withLock { $0 } == 3)
    storage.whenIdle(count)
    #expect(calls.withLock { $0 } == 4)
  }

  @Test func `the writer copies a small rest`() throws {
    let storage = try open()
    try storage.commitPages(of: 1...4)
    let reader = try FormerReader(of: folder)
    try storage.commit([.append(sample(5), to: TreeNumber(1))])
    desk.workOnce()
    try reader.end()
    let before = size(SQLiteStorage.logSuffix)
    storage.tidy()
    desk.work()
    #expect(desk.count == 0)
    try storage.commitPages(of: 6...7)
    #expect(size(SQLiteStorage.logSuffix) == before, "the log began anew")
  }

  @Test func `another copy is begun for a long rest`() throws {
    let storage = try open()
    try storage.commitPages(of: 1...4)
    let reader = try FormerReader(of: folder)
    try storage.commitPages(of: 5...6)
    #expect(desk.count == 1)
    desk.workOnce()
    try reader.end()
    let before = size(SQLiteStorage.logSuffix)
    desk.workOnce()
    #expect(desk.count == 1)
    desk.work()
    try storage.commitPages(of: 7...8)
    #expect(size(SQLiteStorage.logSuffix) == before, "the log began anew")
  }

  @Test func `the writer copies a long log if no thread has begun the copy`() throws {
    let storage = try open()
    let room = [UInt8](repeating: 7, count: 4 << 20)
    for _ in 0..<5 {
      try storage.write { connection throws(StorageError) in try connection.fillProbe(room) }
      storage.tidy()
    }
    #expect(desk.count == 1)
    #expect(size() > 4 << 20)
    let before = size(SQLiteStorage.logSuffix)
    try storage.commitPages(of: 1...2)
    #expect(size(SQLiteStorage.logSuffix) == before, "the log began anew")
  }

  /// A late copy would begin while the next commit starts the log again (LogCopy).
  @Test func `a requested copy is dropped if the writer has copied the log`() throws {
    let storage = try open()
    let room = [UInt8](repeating: 7, count: 4 << 20)
    for _ in 0..<5 {
      try storage.write { connection throws(StorageError) in try connection.fillProbe(room) }
      storage.tidy()
    }
    try storage.commitPages(of: 1...2)
    let (file, log) = (size(), size(SQLiteStorage.logSuffix))
    desk.workOnce()
    #expect(size() == file)
    try storage.commitPages(of: 3...4)
    desk.work()
    #expect(size() > file && size(SQLiteStorage.logSuffix) == log)
  }

  @Test func `pages of rolled back transactions request no copy`() throws {
    let storage = try open()
    let room = [UInt8](repeating: 7, count: 4 << 20)
    for _ in 0..<2 {
      #expect(throws: StorageError.self) {
        try storage.write { connection throws(StorageError) in
          try connection.fillProbe(room)
          throw .failed("the test says so")
        }
      }
    }
    storage.tidy()
    #expect(desk.count == 0)
  }

  @Test func `concurrent copies and commits lose nothing`() throws {
    let copies = DispatchGroup()
    do {
      let storage = try SQLiteStorage(
        folder: folder.path,
        assign: { job in DispatchQueue.global().async(group: copies, execute: job) }
      )
      try storage.commit([.makeTree(sample(1, "a"))])
      try storage.commitPages(of: 1...40)
      #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...40))
    }
    copies.wait()
    #expect(try SQLiteStorage(reading: folder.path).findDamage() == [])
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...40))
  }
}

extension SQLiteStorage {
  /// Appends entries to tree 1 that have slightly more than 256 pages each.
  func commitPages(of numbers: ClosedRange<Int>) throws {
    for number in numbers {
      try commit([.append(sample(number, bytes: 1 << 20), to: TreeNumber(1))])
      tidy()
    }
  }
}

/// A reader of the state when it was made, which keeps newer pages from being copied.
final class FormerReader {
  private var connection: SQLiteConnection

  init(of folder: TemporaryFolder) throws {
    connection = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .reading)
    try connection.run("BEGIN")
    _ = try SQLiteSchema.isNew(&connection)
  }

  func end() throws { try connection.run("COMMIT") }
}
