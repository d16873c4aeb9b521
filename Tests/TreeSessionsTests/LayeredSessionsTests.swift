import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

@Suite struct LayeredSessionsTests {
  private static let patches = [
    #"{"filter":{"by":"","contains":"x"}}"#, #"{"filter":null}"#,
    #"{"order":"breadthFirst"}"#, #"{"order":"depthFirst"}"#,
    ##"{"viewSort":[{"by":"#key"}]}"##, #"{"viewSort":null}"#,
    #"{"filter":{"all":[{"by":"","equals":1},{"by":"","equals":2}]}}"#,
  ]

  @Test(arguments: 0..<4) func `sessions with a filter or an order are known`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let shared = try SharedStore(#"{"nodes":[{"key":"a"}]}"#)
    var sessions = try (0..<6).map { _ in try shared.session("") }
    for _ in 0..<200 {
      guard let place = sessions.indices.randomElement(using: &random) else { break }
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        _ = try shared.store.deleteSession(sessions[place].id)
        sessions[place] = try shared.session("")
      case 1:
        try shared.store.find(shared.tree).withTree(.blocking) { manager in
          _ = manager.putToSleep([sessions[place].id], unusedSince: .max)
        }
      default:
        let patch = try #require(Self.patches.randomElement(using: &random))
        var options = BatchOptions()
        options.isDryRun = Bool.random(using: &random)
        _ = try shared.store.patchSession(
          sessions[place].id,
          SessionPatch.decode(body: Array(patch.utf8)),
          options
        )
      }
      try shared.store.find(shared.tree).withTree(.blocking) { manager in
        let layered = manager.sessions.values.filter(\.isLayered)
        #expect(Set(manager.sessions.layered.ids) == Set(layered.map(\.id)), "seed \(seed)")
        let cost = layered.reduce(0) { $0 + $1.filterCost }
        #expect(manager.sessions.layered.filterCost == cost, "seed \(seed)")
      }
    }
  }
}
