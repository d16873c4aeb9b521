import TestSupport
import Testing
import TreeEngine
import TreeSessions

/// Compares a service that is restarted from storage with one that never is, under random limits.
struct TwinTests {
  @Test(arguments: Seed.seeds(count: 3))
  func `a service that is restarted answers like one that never is`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let limits = narrowed(&random)
    let twins = try ServiceTwins(
      every: random.number(in: 2...9),
      limits: limits,
      context: "SEED=\(seed)"
    )
    var requests = TwinRequests(seed: seed)
    for ask in requests.opening() { try twins.send(ask) }
    for _ in 0..<Seed.operations(default: 300) {
      requests.keys = try twins.keys()
      try twins.send(requests.next(sessions: twins.sessionCount))
      guard random.oneIn(40) else { continue }
      for ask in requests.survey(sessions: twins.sessionCount) { try twins.send(ask) }
    }
  }

  /// Returns limits of which some are tight.
  private func narrowed(_ random: inout SeededGenerator) -> SessionLimits {
    var limits = SessionLimits()
    let narrow: [(WritableKeyPath<SessionLimits, Int>, [Int])] = [
      (\.maxDepth, [1, 2]), (\.maxNodesPerTree, [12]), (\.maxSections, [2]),
      (\.maxObjectBytes, [30]), (\.maxChanges, [0, 3]), (\.maxExpansionRulesPerTree, [0, 1]),
      (\.maxReplays, [0, 1, 3]), (\.maxReplayBytes, [0]),
      (\.maxSessions, [5]), (\.maxTrees, [2]),
      (\.history.commits, [0, 1, 3]), (\.history.rows, [0, 10]), (\.history.totalRows, [0, 20]),
      (\.history.removedNodes, [0, 3]), (\.history.readings, [0, 5]),
      (\.history.listedRows, [0, 3]), (\.snapshotEntries, [1, 4]),
    ]
    for (limit, values) in narrow where random.oneIn(4) {
      limits[keyPath: limit] = random.choice(values)
    }
    return limits
  }
}
