import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Commits after a bad frame of the log are not dropped silently, and the result of a power cut is
/// not refused.
@Suite(.serialized) struct LogDamageTests {
  @Test(arguments: [false, true])
  func `a truncated log has the commits before the cut`(isRestarted: Bool) throws {
    let store = try StoreInUse(isRestarted: isRestarted, seed: 1)
    let frames = try #require(store.commits.last).frames
    for frame in 0...frames {
      for rest in [0, 12, 2_000] where frame < frames || rest == 0 {
        let count = StoreInUse.offset(ofFrame: frame) + rest
        let found = try store.start(log: Array(store.log.prefix(count)))
        // With a restarted log, everything before it is in the file.
        let left = store.entries(leftBy: count)
        let isExpected =
          if case .success(let entries) = found { entries.starts(with: left) } else { false }
        #expect(isExpected, "\(count) bytes")
        guard !isRestarted, case .success(let entries) = found else { continue }
        #expect(entries == left, "\(count) bytes")
      }
    }
  }

  /// The last commit was not synced, so any of its sectors may be missing.
  @Test(arguments: [false, true])
  func `a last commit with missing parts is not refused`(isRestarted: Bool) throws {
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
  func `a flipped bit in an earlier commit is refused without changes`(isRestarted: Bool) throws {
    for seed in Seed.seeds(count: 2) {
      let store = try StoreInUse(isRestarted: isRestarted, seed: seed)
      var random = SeededGenerator(seed: seed)
      for _ in 0..<Seed.operations(default: 40) {
        var log = store.log
        var place = random.number(in: 0...(store.lastCommit.lowerBound - 1))
        if random.oneIn(2) {
          // In the header of a frame.
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

  @Test func `the advice in the error opens the store without the damaged commits`() throws {
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
