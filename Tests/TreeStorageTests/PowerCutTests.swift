import Dispatch
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// What was committed is there whenever the power is cut; what was being committed then is there
/// wholly or not at all.
///
/// In turns: one disk is recorded at a time.
@Suite(.serialized) struct PowerCutTests {
  @Test(arguments: Seed.seeds(count: 2))
  func `no commit is lost, and none is there in part`(seed: UInt64) throws {
    var run = PowerCutRun(seed: seed)
    // What is left is gone on with, and the power is cut again.
    for _ in 0..<3 { try run.goOn(commits: Seed.operations(default: 40), cuts: 8) }
  }
}

/// A store that is written to until the power is cut or the process killed, again and again.
private struct PowerCutRun {
  private let seed: UInt64
  private var random: SeededGenerator
  /// What was made up after so many commits, and what could be read then.
  private var history: [(changes: RandomChanges, picture: [String])] = []
  private var disk = PoweredDisk()
  /// How many commits there are, and how many of them somebody was told of.
  private var commitCount = 0
  private var toldCount = 0

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    history = [(RandomChanges(seed: seed, longEntryBytes: 600_000), [])]
  }

  /// Opens the store and commits, and looks what is there if the power was cut meanwhile; where it
  /// was, or the process was killed, is gone on from.
  mutating func goOn(commits: Int, cuts: Int) throws {
    let folder = try folder(of: disk.read())
    history.removeLast(history.count - commitCount - 1)
    let record = try RecordedDisk.record(folder) { try write(commits, to: folder) }
    var (disk, told) = (disk, toldCount)
    disk.begin()
    for event in record.events {
      disk.take(event, of: record)
      if case .number(let count) = event { told = count }
      guard random.oneIn(rarity(of: event, among: commits, record) / cuts + 1) else { continue }
      let isKilled = random.oneIn(4)
      let left = isKilled ? disk.read() : disk.cut(&random)
      toldCount = told
      commitCount = try check(left)
      self.disk = isKilled ? disk : PoweredDisk(left)
    }
  }

  /// About how many events there are like one: of what is told, or all written and nothing synced,
  /// as many as commits; and what was found when it was opened is looked for in any case.
  private func rarity(
    of event: DiskRecord.Event,
    among commits: Int,
    _ record: DiskRecord
  ) -> Int {
    switch event {
    case .number(let count): count == commitCount ? 0 : commits
    case .begin: commits
    default: record.events.count
    }
  }

  private func folder(of files: [String: [UInt8]]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, bytes) in files { try folder.write(bytes, to: name) }
    return folder
  }

  private mutating func write(_ count: Int, to folder: TemporaryFolder) throws {
    let desk = Desk()
    let copies = DispatchGroup()
    defer { copies.wait() }
    let isCopiedMeanwhile = random.oneIn(2)
    let storage = try SQLiteStorage(
      folder: folder.path,
      maxArrivals: 20,
      assign: { job in
        guard isCopiedMeanwhile else { return desk.assign(job) }
        DispatchQueue.global().async(group: copies, execute: job)
      }
    )
    if history[0].picture.isEmpty { history[0].picture = try picture(of: storage, after: 0) }
    // Whoever reads is told of it from now on.
    RecordedDisk.note(commitCount)
    for _ in 0..<count {
      var changes = history[history.count - 1].changes
      try storage.commit(changes.commit())
      RecordedDisk.note(history.count)
      history.append((changes, []))
      history[history.count - 1].picture = try picture(of: storage, after: history.count - 1)
      if random.oneIn(8) { _ = try storage.sweep(limit: 3) }
      if random.oneIn(2) { storage.tidy() }
      if random.oneIn(4) { desk.work() }
    }
    if random.oneIn(2) { storage.close() }
  }

  private func picture(of storage: SQLiteStorage, after count: Int) throws -> [String] {
    var changes = history[count].changes
    return try changes.picture(of: storage)
  }

  /// Looks at what is left of the commits that somebody was told of, and perhaps of one more; gives
  /// how many there are.
  private func check(_ files: [String: [UInt8]]) throws -> Int {
    let folder = try folder(of: files)
    let place: Comment = "seed \(seed), after \(toldCount) of \(history.count - 1) commits"
    let opened = Result { () throws(StorageError) in
      try SQLiteStorage(folder: folder.path, maxArrivals: 20)
    }
    if case .failure(let error) = opened { Issue.record("\(place): \(error.reason)") }
    let storage = try opened.get()
    let found = try (toldCount...min(toldCount + 1, history.count - 1)).first { count in
      try picture(of: storage, after: count) == history[count].picture
    }
    #expect(try SQLiteStorage(reading: folder.path).findDamage() == [], place)
    return try #require(found, place)
  }
}
