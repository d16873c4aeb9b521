import TestSupport
import Testing

@testable import TreeStorage

/// Scanning a log without a database.
struct LogScanTests {
  /// Returns a log as words, in the order of the file.
  private func words(_ log: [UInt8]) -> [UInt32] {
    stride(from: 0, to: log.count & ~3, by: 4).map { start in
      let word = log[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return UInt32(bigEndian: word)
    }
  }

  /// Returns the result of scanning a log.
  private func scan(_ words: [UInt32]) -> LogScan {
    var scan = LogScan(LogHeader(Array(words.prefix(LogHeader.wordCount))))
    let count = StoreInUse.frameBytes / 4
    var start = LogHeader.wordCount
    while start + count <= words.count {
      scan.accept(LogFrame(Array(words[start..<start + count])))
      start += count
    }
    return scan
  }

  /// A log with few frames, so that every bit of their headers can be tried.
  private let store: StoreInUse

  init() throws { store = try StoreInUse(isRestarted: true, seed: 4, commits: 3) }

  @Test func `an intact log is not damaged`() throws {
    let scan = scan(words(store.log))
    #expect(!scan.isDamaged)
    // After its frames are those from before the log started again.
    #expect(scan.firstBad == store.commits.last.map { $0.frames + 1 })
  }

  @Test func `any flipped bit in a header of an earlier commit is detected`() throws {
    var log = words(store.log)
    let frames = store.commits[store.commits.count - 2].frames
    let headers = (0..<frames).flatMap { frame in
      let start = StoreInUse.offset(ofFrame: frame)
      return Array(start..<start + 24)
    }
    for place in Array(0..<StoreInUse.headerBytes) + headers {
      for bit in 0..<8 {
        let change = UInt32(bigEndian: 1 << (24 - 8 * (place % 4) + bit))
        log[place / 4] ^= change
        let scan = scan(log)
        let isMissed = scan.isDamaged && scan.commitsBehind > 0
        #expect(isMissed, "bit \(bit) of byte \(place)")
        log[place / 4] ^= change
      }
    }
  }

  @Test func `damage in the last commit is not reported`() throws {
    var random = SeededGenerator(seed: Seed.fromEnvironment())
    for _ in 0..<Seed.operations(default: 50) {
      var log = store.log
      for _ in 0..<random.number(in: 1...9) {
        let place = random.number(in: store.lastCommit.lowerBound...(log.count - 1))
        log[place] = UInt8(random.number(in: 0...255))
      }
      #expect(!scan(words(log)).isDamaged)
    }
  }

  @Test func `removing words from a checksum inverts adding them`() {
    var random = SeededGenerator(seed: Seed.fromEnvironment())
    let words = (0..<8).map { _ in UInt32(truncatingIfNeeded: random.next()) }
    let seed = LogChecksum(first: words[6], second: words[7])
    for order in [LogChecksum.Order.littleEndian, .bigEndian] {
      let sum = seed.adding(words, 0..<6, order)
      #expect(sum != seed && sum.removing(words, 0..<6, order) == seed)
      #expect(sum.removing(words, 2..<6, order) == seed.adding(words, 0..<2, order))
    }
  }
}
