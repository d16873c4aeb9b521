import Foundation
import TestSupport
import Testing

/// Tests that no acknowledged change is lost, no history forks, and every tree is linearizable,
/// whatever fails.
///
/// `CLUSTER_SECONDS` is the duration of a run of three instances, 20 by default. `CLUSTER_FAULTS`
/// names its faults, such as `instanceStopped,databaseClockMoved`; all by default. `SEED` is the
/// first seed.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct ClusterTests {
  private static let defaultSeconds = 20

  /// Runs a number of instances with all faults that are possible with them.
  private func run(instances count: Int, seconds: Int = defaultSeconds) async throws {
    for seed in Seed.seeds(count: 1) {
      let (acknowledged, faults, text) = try await onThread {
        let deployment = try Deployment(instances: count, seed: seed)
        let faults = ClusterFault.all(instances: count).filter { Self.names($0) }
        var run = ClusterRun(deployment, seed: seed, faults: faults)
        try run.run(seconds: seconds)
        return (run.report.acknowledged, run.report.faults.count, run.report.text)
      }
      let line = "cluster of \(count), SEED=\(seed), \(seconds) s: \(text)\n"
      FileHandle.standardError.write(Data(line.utf8))
      #expect(acknowledged > 0 && faults > 0)
    }
  }

  @Test func `the history of one instance is linearizable through all faults`() async throws {
    try await run(instances: 1)
  }

  /// Returns true if a fault belongs to the run.
  private static func names(_ fault: ClusterFault) -> Bool {
    guard let names = ProcessInfo.processInfo.environment["CLUSTER_FAULTS"] else { return true }
    return names.split(separator: ",").contains { $0 == fault.rawValue }
  }

  /// True if the program supports clusters.
  private static var makesClusters: Bool {
    guard let ending = try? Program(["--help"]).waitForEnd() else { return false }
    return ending.output.contains("--advertise")
  }

  @Test(.enabled("the program makes no clusters") { makesClusters })
  func `the history of three instances is linearizable through all faults`() async throws {
    let seconds = ProcessInfo.processInfo.environment["CLUSTER_SECONDS"].flatMap(Int.init)
    try await run(instances: 3, seconds: seconds ?? Self.defaultSeconds)
  }
}
