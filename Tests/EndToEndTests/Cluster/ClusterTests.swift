import Foundation
import TestSupport
import Testing

/// Tests that no acknowledged change is lost, no history forks, and every tree is linearizable,
/// whatever fails.
///
/// `CLUSTER_SECONDS` is the duration of a run, 20 by default. `SEED` is the first seed.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct ClusterTests {
  private static var seconds: Int {
    ProcessInfo.processInfo.environment["CLUSTER_SECONDS"].flatMap(Int.init) ?? 20
  }

  /// Runs a number of instances with all faults that are possible with them.
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

  @Test func `the history of one instance is linearizable through all faults`() throws {
    try run(instances: 1)
  }

  /// True if the program supports clusters.
  private static var makesClusters: Bool {
    guard let ending = try? Program(["--help"]).waitForEnd() else { return false }
    return ending.output.contains("--advertise")
  }

  @Test(.enabled("the program makes no clusters") { makesClusters })
  func `the history of three instances is linearizable through all faults`() throws {
    try run(instances: 3)
  }
}
