import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// What is behind a bad frame of the log is not taken back without a word, and what a power cut
/// leaves is not refused.
@Suite(.serialized) struct LogDamageTests {
  @Test(arguments: [false, true])
  func `a log that was cut anywhere has what was committed before`(isRestarted: Bool) throws {
    let store = try StoreInUse(isRestarted: isRestarted, seed: 1)
    let frames = try #require(store.commits.last).frames
    for frame in 0...frames {
      for rest in [0, 12, 2_000] where frame < frames || rest == 0 {
        let count = StoreInUse.offset(ofFrame: frame) + rest
        let found = try store.start(log: Array(store.log.prefix(count)))
        // Of a restarted log all before it is in the file.
        let left = store.entries(leftBy: count)
        let isExpected =
          if case .success(let entries) = found { entries.starts(with: left) } else { false }
        #expect(isExpected, "\(count) bytes")
        guard !isRestarted, case .success(let entries) = found else { continue }
        #expect(entries == left, "\(count) bytes")
      }
    }
  }

  /// The last commit was not yet synced, so that any of its sectors may be missing.
  @Test(arguments: [false, true])
  func `a last commit of which parts are missing is not refused`(isRestarted: Bool) throws {
    for seed in Seed.seeds(count: 2) {
      let store = try StoreInUse(isRestarted: isRestarted, seed: seed)
      var random = SeededGenerator(seed: seed)
      let all = store.entries
      let before = all.prefix(store.commits[store.commits.count - 2].entries)
      for round in 0..<Seed.operations(default: 40) {
        var log = store.log
        let bytes = random.choice([512, 4_096, StoreInUse.frameBytes])
        let isZeroed = random.oneIn(2)
        for start in stride(from: store.lastCommit.lowerBound, to: log.count, by: bytes)
        where random.oneIn(round % 5 + 1) {
          for place in start..<min(start + bytes, log.count) {
            log[place] =
              isZeroed || place >= store.logBefore.count ? 0 : store.logBefore[place]
          }
        }
        let found = try store.start(log: log)
        #expect([.success(all), .success(Array(before))].contains(found), "SEED=\(seed) \(round)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a bit that changed in an earlier commit is refused, and all stays`(isRestarted: Bool) throws
  {
    for seed in Seed.seeds(count: 2) {
      let store = try StoreInUse(isRestarted: isRestarted, seed: seed)
      var random = SeededGenerator(seed: seed)
      for _ in 0..<Seed.operations(default: 40) {
        var log = store.log
        var place = random.number(in: 0...(store.lastCommit.lowerBound - 1))
        if random.oneIn(2) {
          // In what a frame begins with.
          let frame = (place - StoreInUse.headerBytes) / StoreInUse.frameBytes
          place = StoreInUse.offset(ofFrame: frame) + random.number(in: 0...23)
        }
        log[place] ^= 1 << random.number(in: 0...7)
        let folder = try TemporaryFolder()
        try store.write(to: folder, log: log)
        for isRead in [true, false] {
          let refusal = refusal(folder, isRead: isRead)
          guard case .damaged(let reason) = refusal else {
            Issue.record("SEED=\(seed), byte \(place): \(String(describing: refusal))")
            continue
          }
          #expect(reason.contains("trees.sqlite-wal"))
        }
        let isUntouched =
          folder.bytes(of: SQLiteStorage.fileName) == store.file
          && folder.bytes(of: SQLiteStorage.fileName + "-wal") == log
        #expect(isUntouched, "SEED=\(seed), byte \(place)")
      }
    }
  }

  private func refusal(_ folder: TemporaryFolder, isRead: Bool) -> StorageError? {
    do throws(StorageError) {
      _ =
        isRead
        ? try SQLiteStorage(reading: folder.path) : try SQLiteStorage(folder: folder.path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `without what is behind the bad frame the store can be opened as it is told`() throws {
    let store = try StoreInUse(isRestarted: false, seed: 3)
    var log = store.log
    let kept = store.commits[4]
    log[StoreInUse.offset(ofFrame: kept.frames) + 100] ^= 1
    let folder = try TemporaryFolder()
    try store.write(to: folder, log: log)
    let said = try #require(refusal(folder, isRead: false)).reason
    #expect(said.contains("frame \(kept.frames + 1) of "))
    #expect(said.contains("\(store.commits.count - 5) commits"))
    #expect(said.contains("PRAGMA wal_checkpoint(TRUNCATE)"))
    do {
      var connection = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
      try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let entries = try SQLiteStorage(folder: folder.path).allEntries(of: 1)
    #expect(entries == Array(store.entries.prefix(kept.entries)))
  }
}
