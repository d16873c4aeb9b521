import Foundation
import TestSupport
import Testing

/// Nothing that was acknowledged is lost, no history forks, and every tree is linearizable,
/// whatever fails.
///
/// `CLUSTER_SECONDS` is the time that a run takes, 20 by default; `SEED` picks the first seed.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct ClusterTests {
  private static var seconds: Int {
    ProcessInfo.processInfo.environment["CLUSTER_SECONDS"].flatMap(Int.init) ?? 20
  }

  /// Runs of some instances, with all failures that can happen to them.
  private func run(instances count: Int) throws {
    for seed in Seed.seeds(count: 1) {
      let deployment = try Deployment(instances: count, seed: seed)
      let faults = ClusterFault.all(instances: count)
      var run = ClusterRun(deployment, seed: seed, faults: faults)
      try run.run(seconds: Self.seconds)
      let text = "cluster of \(count), SEED=\(seed), \(Self.seconds) s: \(run.report.text)\n"
      FileHandle.standardError.write(Data(text.utf8))
      #expect(run.report.acknowledged > 0 && !run.report.faults.isEmpty)
    }
  }

  @Test func `one instance keeps every promise through all failures`() throws {
    try run(instances: 1)
  }

  /// True if the program makes clusters.
  private static var makesClusters: Bool {
    guard let ending = try? Program(["--help"]).waitForEnd() else { return false }
    return ending.output.contains("--advertise")
  }

  @Test(.enabled("the program makes no clusters") { makesClusters })
  func `three instances keep every promise through all failures`() throws {
    try run(instances: 3)
  }
}
