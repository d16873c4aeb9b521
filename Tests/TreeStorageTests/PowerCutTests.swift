import TestSupport
import Testing

extension DiskTests {
  /// Commits survive a power cut at any time.
  ///
  /// A commit in progress survives as a whole or not at all.
  struct PowerCutTests {
    @Test(arguments: Seed.seeds(count: 1))
    func `no commit is lost, and none survives in part`(seed: UInt64) throws {
      var run = PowerCutRun(seed: seed, isDiskFailing: false)
      // The next run continues with the files of the last one.
      for _ in 0..<3 { try run.goOn(commits: Seed.operations(default: 40), cuts: 8) }
    }

    @Test(arguments: Seed.seeds(count: 1))
    func `no commit is lost after failures of the disk`(seed: UInt64) throws {
      var run = PowerCutRun(seed: seed, isDiskFailing: true)
      for _ in 0..<3 { try run.goOn(commits: Seed.operations(default: 40), cuts: 8) }
    }
  }
}
