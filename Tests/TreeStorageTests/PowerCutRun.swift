import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// A store that is written to until the power is cut or the process killed, again and again.
struct PowerCutRun {
  private let seed: UInt64
  private let isDiskFailing: Bool
  private var random: SeededGenerator
  private var history: CommitHistory
  private var disk = PoweredDisk()
  /// How many commits there are, and how many of them somebody was told of.
  private var commitCount = 0
  private var toldCount = 0

  init(seed: UInt64, isDiskFailing: Bool) {
    self.seed = seed
    self.isDiskFailing = isDiskFailing
    random = SeededGenerator(seed: seed)
    history = CommitHistory(seed: seed)
  }

  /// Opens the store and commits, and looks what is there if the power was cut meanwhile; where it
  /// was, or the process was killed, is gone on from.
  mutating func goOn(commits: Int, cuts: Int) throws {
    let folder = try folder(of: disk.read())
    history.forget(behind: commitCount)
    let record = try RecordedDisk.record(folder) {
      var store = try StoreUnderPower(folder, history, random.next())
      // Whoever reads is told of what there is from now on.
      RecordedDisk.note(commitCount)
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

  /// Looks at what is left of the commits that somebody was told of, and perhaps of one more; gives
  /// how many there are.
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

/// Commits that were made up, and what could be read after each.
struct CommitHistory {
  private var moments: [(changes: RandomChanges, picture: [String]?)]

  init(seed: UInt64) { moments = [(RandomChanges(seed: seed, longEntryBytes: 600_000), nil)] }

  /// How many commits there were.
  var count: Int { moments.count - 1 }

  /// What comes next is made up from here.
  var last: RandomChanges { moments[count].changes }

  mutating func forget(behind count: Int) { moments.removeLast(self.count - count) }

  mutating func add(_ changes: RandomChanges) { moments.append((changes, nil)) }

  /// Keeps what can be read after the last commit.
  mutating func look(at storage: SQLiteStorage) throws {
    if moments[count].picture == nil { moments[count].picture = try picture(count, of: storage) }
  }

  /// Whether there is what could be read after so many commits.
  func isThere(_ count: Int, in storage: SQLiteStorage) throws -> Bool {
    try picture(count, of: storage) == moments[count].picture
  }

  private func picture(_ count: Int, of storage: SQLiteStorage) throws -> [String] {
    var changes = moments[count].changes
    return try changes.picture(of: storage)
  }
}
