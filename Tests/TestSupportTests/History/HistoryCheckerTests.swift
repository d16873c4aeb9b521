import TestSupport
import Testing

/// Tests that the checker of histories accepts valid histories and rejects every kind of error.
struct HistoryCheckerTests {
  private static let requests = 300

  @Test(arguments: Seed.seeds(count: 12))
  func `a history of a linearizable tree is accepted`(seed: UInt64) throws {
    let tree = try SimulatedTree(seed: seed, requests: Seed.operations(default: Self.requests))
    let history = tree.history
    let isMixed =
      history.writes.contains { $0.list != nil }
      && history.writes.contains { if case .refused = $0.outcome { true } else { false } }
      && history.writes.contains { if case .unknown = $0.outcome { true } else { false } }
    #expect(isMixed, "SEED=\(seed)")
    let violations = HistoryChecker.violations(of: history)
    #expect(violations.isEmpty, "SEED=\(seed): \(violations.prefix(3))")
  }

  @Test(arguments: HistorySpoiler.allCases, Seed.seeds(count: 6))
  func `an error in a history is found`(_ spoiler: HistorySpoiler, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tree = try SimulatedTree(seed: seed, requests: Seed.operations(default: Self.requests))
    let spoiled = try #require(spoiler.spoil(tree, &random), "SEED=\(seed)")
    #expect(!HistoryChecker.violations(of: spoiled).isEmpty, "SEED=\(seed): \(spoiler)")
  }
}
