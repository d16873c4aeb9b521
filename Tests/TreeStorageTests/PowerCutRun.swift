import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// A store that is written to until the power is cut or the process is killed, repeatedly.
struct PowerCutRun {
  private let seed: UInt64
  private let isDiskFailing: Bool
  private var random: SeededGenerator
  private var history: CommitHistory
  private var disk = PoweredDisk()
  /// The number of commits, and the number of those that were acknowledged.
  private var commitCount = 0
  private var toldCount = 0

  init(seed: UInt64, isDiskFailing: Bool) {
    self.seed = seed
    self.isDiskFailing = isDiskFailing
    random = SeededGenerator(seed: seed)
    history = CommitHistory(seed: seed)
  }

  /// Opens the store and commits, then checks the files after several simulated cuts and kills.
  ///
  /// The next call continues with the files of the last one.
  mutating func goOn(commits: Int, cuts: Int) throws {
    let folder = try folder(of: disk.read())
    history.forget(behind: commitCount)
    let record = try RecordedDisk.record(folder) {
      var store = try StoreUnderPower(folder, history, random.next())
      // From now on, readers may see all commits that were found.
      RecordedDisk.record(commitCount)
      for _ in 0..<commits {
        if isDiskFailing, random.oneIn(8) { try store.failForAWhile() }
        try store.commit()
        try store.tidy()
      }
      history = store.end()
    }
    var (disk, told, isInDoubt) = (disk, toldCount, false)
    disk.begin()
    for event in record.events {
      disk.take(event, of: record, &random)
      if case .number(let count) = event {
        isInDoubt = count == RecordedDisk.doubt
        if !isInDoubt { told = count }
      }
      let rarity = rarity(of: event, among: commits, record)
      guard !isInDoubt, random.oneIn(rarity / cuts + 1) else { continue }
      let isKilled = random.oneIn(4)
      let left = isKilled ? disk.read() : disk.cut(&random)
      toldCount = told
      commitCount = try check(left)
      self.disk = isKilled ? disk : PoweredDisk(left)
    }
  }

  /// Returns the approximate number of similar events: acknowledgements and moments before a sync
  /// are as frequent as commits.
  ///
  /// For the result of opening it returns 0, so that it is checked in any case.
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

  /// Checks that the files have all acknowledged commits, and at most one more.
  ///
  /// Returns the number of commits.
  private func check(_ files: [String: [UInt8]]) throws -> Int {
    let folder = try folder(of: files)
    let place: Comment = "seed \(seed), after \(toldCount) of \(history.count) commits"
    let opened = Result { () throws(StorageError) in
      try SQLiteStorage(inTheSameFileOf: folder, maxArrivals: 2_048)
    }
    if case .failure(let error) = opened { Issue.record("\(place): \(error.reason)") }
    let storage = try opened.get()
    #expect(try storage.generationCause() == nil && storage.generations() == Generations(), place)
    let found = try (toldCount...min(toldCount + 1, history.count)).first { count in
      try history.isThere(count, in: storage)
    }
    #expect(try SQLiteStorage(reading: folder.path).findDamage() == [], place)
    return try #require(found, place)
  }
}

/// Random commits, and the readable content after each.
struct CommitHistory {
  private var moments: [(changes: RandomChanges, picture: [String]?)]

  init(seed: UInt64) { moments = [(RandomChanges(seed: seed, longEntryBytes: 600_000), nil)] }

  /// The number of commits.
  var count: Int { moments.count - 1 }

  /// The state from which the next commit is generated.
  var last: RandomChanges { moments[count].changes }

  mutating func forget(behind count: Int) { moments.removeLast(self.count - count) }

  mutating func add(_ changes: RandomChanges) { moments.append((changes, nil)) }

  /// Records the readable content after the last commit.
  mutating func look(at storage: SQLiteStorage) throws {
    if moments[count].picture == nil { moments[count].picture = try picture(count, of: storage) }
  }

  /// Returns true if storage has the content after a number of commits.
  func isThere(_ count: Int, in storage: SQLiteStorage) throws -> Bool {
    try picture(count, of: storage) == moments[count].picture
  }

  private func picture(_ count: Int, of storage: SQLiteStorage) throws -> [String] {
    var changes = moments[count].changes
    return try changes.picture(of: storage)
  }
}
