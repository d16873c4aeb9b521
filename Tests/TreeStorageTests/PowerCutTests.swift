import TestSupport
import Testing

extension DiskTests {
  /// Commits survive a power cut at any moment; the one that was under way is there wholly or not
  /// at all.
  struct PowerCutTests {
    @Test(arguments: Seed.seeds(count: 1))
    func `no commit is lost, and none is there in part`(seed: UInt64) throws {
      var run = PowerCutRun(seed: seed, isDiskFailing: false)
      // What is left is gone on with, and the power is cut again.
      for _ in 0..<3 { try run.goOn(commits: Seed.operations(default: 40), cuts: 8) }
    }

    @Test(arguments: Seed.seeds(count: 1))
    func `none is lost where the disk failed before`(seed: UInt64) throws {
      var run = PowerCutRun(seed: seed, isDiskFailing: true)
      for _ in 0..<3 { try run.goOn(commits: Seed.operations(default: 40), cuts: 8) }
    }
  }
}
