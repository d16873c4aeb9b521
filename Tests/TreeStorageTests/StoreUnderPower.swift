import Dispatch
import Glibc
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// A store on a recorded disk that may fail.
struct StoreUnderPower {
  private let folder: TemporaryFolder
  private var history: CommitHistory
  private var random: SeededGenerator
  private var storage: SQLiteStorage?
  private let desk = Desk()
  private let copies = DispatchGroup()
  private let isCopiedMeanwhile: Bool
  /// A reader that keeps newer pages from being copied.
  private var reader: FormerReader?

  init(_ folder: TemporaryFolder, _ history: CommitHistory, _ seed: UInt64) throws {
    self.folder = folder
    self.history = history
    random = SeededGenerator(seed: seed)
    isCopiedMeanwhile = random.oneIn(2)
    try open()
  }

  private mutating func open() throws {
    storage = nil
    // A running copy must not overlap with the new storage.
    copies.wait()
    let (desk, copies, isCopiedMeanwhile) = (desk, copies, isCopiedMeanwhile)
    let storage = try SQLiteStorage(inTheSameFileOf: folder, maxArrivals: 20) { job in
      guard isCopiedMeanwhile else { return desk.assign(job) }
      DispatchQueue.global().async(group: copies, execute: job)
    }
    try #require(try storage.generationCause() == nil, "a crash is taken for a restored backup")
    try history.look(at: storage)
    self.storage = storage
  }

  private func inUse() throws -> SQLiteStorage { try #require(storage) }

  /// Makes a commit, and marks it as acknowledged.
  mutating func commit() throws {
    let storage = try inUse()
    var changes = history.last
    let new = changes.commit()
    for case .append(let entry, let tree) in new where random.oneIn(2) {
      while try storage.writeAhead(entry, of: tree, bytes: 1 << 17), !random.oneIn(8) {}
    }
    try storage.commit(new)
    RecordedDisk.record(history.count + 1)
    history.add(changes)
    try history.look(at: storage)
  }

  /// Does some of the maintenance between commits.
  mutating func tidy() throws {
    let storage = try inUse()
    if random.oneIn(8) { _ = try? storage.sweep(limit: 3) }
    if random.oneIn(2) { storage.tidy() }
    if random.oneIn(4) { desk.work() }
    if random.oneIn(6) { reader = try reader == nil ? FormerReader(of: folder) : nil }
  }

  /// Makes the disk fail during some commits.
  ///
  /// Refused commits must have no effect. After the disk is repaired, the store works again, if
  /// necessary after a restart.
  mutating func failForAWhile() throws {
    RecordedDisk.record(RecordedDisk.doubt)
    // Mostly while the log is copied; other writes are repeated.
    let file = random.choice(["", "/trees.sqlite", "/trees.sqlite", "/trees.sqlite-wal"])
    let (call, number) = (random.choice(FailingDisk.Call.allCases), random.choice([EIO, ENOSPC]))
    FailingDisk.fail(call, of: folder.path + file, with: number)
    do {
      defer { FailingDisk.mend() }
      for _ in 0..<random.number(in: 1...6) { try tryCommit() }
    }
    do {
      try inUse().probe()
    } catch {
      try #require("\(error)".contains("start the service anew"))
      try open()
    }
    RecordedDisk.record(history.count)
  }

  /// Makes a commit, or expects that it had no effect.
  private mutating func tryCommit() throws {
    do {
      try commit()
    } catch let error as StorageError {
      #expect(error.isOfDisk, "\(error)")
      #expect(try history.isThere(history.count, in: inUse()))
    }
    RecordedDisk.record(RecordedDisk.doubt)
    try tidy()
  }

  /// Closes the store, and returns its history.
  mutating func end() -> CommitHistory {
    if random.oneIn(2) { storage?.close() }
    storage = nil
    copies.wait()
    return history
  }
}

extension SQLiteStorage {
  /// Opens a folder of copied files as if they were the original ones.
  convenience init(
    inTheSameFileOf folder: TemporaryFolder,
    maxArrivals: Int,
    assign: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
  ) throws(StorageError) {
    try self.init(folder: folder.path, maxArrivals: maxArrivals, assign: assign) { _ in
      FileOrigin(number: 1, seconds: 1, nanoseconds: 1)
    }
  }
}
