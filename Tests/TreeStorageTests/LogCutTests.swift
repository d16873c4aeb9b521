import Foundation
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Nothing that was committed is lost without a word where somebody cuts the log.
@Suite(.serialized) struct LogCutTests {
  private static let logName = SQLiteStorage.fileName + SQLiteStorage.logSuffix
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Cuts the log, or makes it longer by a hole.
  private func setLogLength(_ length: Int) throws {
    let log = try FileHandle(forWritingTo: URL(filePath: "\(folder.path)/\(Self.logName)"))
    try log.truncate(atOffset: UInt64(length))
    try log.close()
  }

  private func logLength() throws -> Int { try #require(folder.bytes(of: Self.logName)).count }

  /// Makes commits, with and without entries.
  ///
  /// - Returns: The length of the log after each.
  private func commit(_ numbers: ClosedRange<Int>, to storage: SQLiteStorage) throws -> [Int] {
    try numbers.map { number in
      // Every third has no entry.
      let change: StorageChange =
        number.isMultiple(of: 3)
        ? .makeTree(sample(number, "t\(number)"))
        : .append(sample(number - number / 3, bytes: 100), to: TreeNumber(1))
      try storage.commit([change])
      return try logLength()
    }
  }

  /// Makes a database as a killed process leaves it: six commits are in its log.
  ///
  /// - Returns: The length of the log after each.
  private func makeKilled() throws -> [Int] {
    let (lengths, file, log, marker): ([Int], [UInt8], [UInt8], [UInt8])
    do {
      let storage = try SQLiteStorage(folder: folder.path)
      try storage.commit([.makeTree(sample(1, "a"))])
      lengths = try commit(1...6, to: storage)
      file = try #require(folder.bytes(of: SQLiteStorage.fileName))
      log = try #require(folder.bytes(of: Self.logName))
      marker = try #require(folder.bytes(of: GenerationMarker.name))
    }
    _ = try BackupCopy.put(file, .into, folder)
    try folder.write(log, to: Self.logName)
    try folder.write(marker, to: GenerationMarker.name)
    return lengths
  }

  private func refusal(isRead: Bool) -> StorageError? {
    do throws(StorageError) {
      _ =
        isRead
        ? try SQLiteStorage(reading: folder.path) : try SQLiteStorage(folder: folder.path)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: 0..<6)
  func `a log that lacks commits refuses the start, and says how many`(kept: Int) throws {
    let lengths = try makeKilled()
    try setLogLength(kept == 0 ? lengths[0] - 1 : lengths[kept - 1])
    let before = folder.bytes(of: SQLiteStorage.fileName)
    for isRead in [true, false] {
      guard case .damaged(let reason) = refusal(isRead: isRead) else {
        Issue.record("it is not refused")
        return
      }
      #expect(reason.contains("the last \(6 - kept) commits are missing"), "\(reason)")
    }
    #expect(folder.bytes(of: SQLiteStorage.fileName) == before)
    try giveUp()
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(try storage.generationCause() == .restoredBackup)
    #expect(try storage.generations().current == Revision(1_000_000))
    #expect(try storage.allEntries(of: 1).count == kept - kept / 3)
  }

  /// Gives up the commits that are missing, as the refusal says.
  private func giveUp() throws {
    var connection = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try connection.run("PRAGMA journal_mode=DELETE")
  }

  @Test func `a whole log is opened`() throws {
    _ = try makeKilled()
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(try storage.generationCause() == nil)
    #expect(try storage.allEntries(of: 1).count == 4)
  }

  @Test(arguments: [true, false])
  func `a log that is empty or missing refuses the start`(isRemoved: Bool) throws {
    _ = try makeKilled()
    if isRemoved { try folder.write(nil, to: Self.logName) } else { try setLogLength(0) }
    for isRead in [true, false, true] {
      let error = refusal(isRead: isRead)
      #expect(error?.reason.contains("commits are missing") == true, "\(error as Any)")
    }
    try giveUp()
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(try storage.generationCause() == .restoredBackup)
    #expect(try storage.generations().current == Revision(1_000_000))
  }

  @Test func `a restored backup is no cut log, whoever looked at it or ended before the start`()
    throws
  {
    _ = try makeKilled()
    try BackupCopy.make(of: folder, at: "\(folder.path)/backup")
    let copy = try #require(folder.bytes(of: "backup"))
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.append(sample(5, bytes: 9), to: TreeNumber(1))])
    storage.close()
    try folder.write(nil, to: Self.logName)
    _ = try BackupCopy.put(copy, .into, folder)
    #expect(refusal(isRead: true) == nil)
    // A start that ends before its generation is stored has made a log.
    let file = "\(folder.path)/\(SQLiteStorage.fileName)"
    _ = try SQLiteStorage.check(file, in: folder.path, DataFolder.origin)
    var connection = try SQLiteConnection(file, .writing)
    try connection.settle { _ in }
    #expect(try SQLiteStorage(folder: folder.path).generationCause() == .restoredBackup)
  }

  /// The lengths are of a log of which six commits are known, and whether a hole fills the rest.
  @Test(arguments: [0, 1, 3, 5], [false, true])
  func `a log that is cut while it is in use ends all commits`(kept: Int, isFilled: Bool) throws {
    do {
      let storage = try SQLiteStorage(folder: folder.path)
      try storage.commit([.makeTree(sample(1, "a"))])
      let lengths = try commit(1...6, to: storage)
      let file = folder.bytes(of: SQLiteStorage.fileName)
      try setLogLength(kept == 0 ? 0 : lengths[kept - 1])
      if isFilled { try setLogLength(lengths[5]) }
      for number in 5...6 {
        let change = StorageChange.append(sample(number, bytes: 100), to: TreeNumber(1))
        for changes in [[change], [change, .makeTree(sample(8, "b"))]] {
          #expect { try storage.commit(changes) } throws: { error in
            guard case .failed(let reason) = error as? StorageError else { return false }
            return reason.contains("was cut while it is in use")
          }
        }
      }
      #expect(throws: StorageError.self) { try storage.probe() }
      storage.tidy()
      storage.copyBeforeClosing()
      storage.close()
      #expect(folder.bytes(of: SQLiteStorage.fileName) == file, "nothing is copied from the rest")
    }
    guard case .damaged = refusal(isRead: false) else {
      Issue.record("the next start finds nothing wrong")
      return
    }
  }

  @Test func `a log that SQLite itself begins anew or shortens is as it should be`() throws {
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.makeTree(sample(1, "a"))])
    var number = 0
    for round in 0..<40 {
      for _ in 0..<5 {
        number += 1
        try storage.commit([.append(sample(number, bytes: 6_000), to: TreeNumber(1))])
      }
      var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
      let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"][round % 4]
      try other.run("PRAGMA wal_checkpoint(\(mode))")
    }
    #expect(try storage.allEntries(of: 1).count == number)
  }
}
