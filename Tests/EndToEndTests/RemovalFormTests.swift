import TestSupport
import Testing
import TreeSessions

/// Change lists of removals with more rows than entries are allowed.
struct RemovalFormTests {
  @Test(arguments: Seed.seeds(count: 30))
  func `removals take the fewest ranges, with the required names`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var limits = SessionLimits()
    limits.maxChanges = random.choice([1, 6, 20])
    try Reach.router.withAccess(limits: limits) { access in
      var options = ModelSessionOptions()
      if random.oneIn(2) { options.sections = ["A", "B"] }
      let folders = (0..<12).map { ModelKey("f\($0)") }
      options.nodes = folders.map { .folder($0.description, leaves: random.number(in: 0...15)) }
      let pair = try ModelPair(access, options)
      if !options.sections.isEmpty {
        let half = Array(folders.suffix(6))
        let move = ModelOperation.move(half, parent: nil, section: "B", place: .first)
        _ = try pair.apply([move], query: "")
      }
      var rest = folders.shuffled(using: &random)
      while rest.count > 3 {
        var operations: [ModelOperation] = []
        for _ in 0..<random.number(in: 1...3) {
          guard let folder = rest.popLast() else { break }
          operations += randomChange(of: folder, &random)
        }
        if random.oneIn(5), !options.sections.isEmpty, pair.model.sections.count > 1 {
          operations.append(.removeSection("B"))
          rest = []
        }
        _ = try pair.apply(operations, query: random.choice(["", "changes=ranges"]))
      }
      #expect(try pair.session.keys() == pair.model.rows.map(\.key.description), "SEED=\(seed)")
    }
  }

  private func randomChange(
    of folder: ModelKey,
    _ random: inout SeededGenerator
  ) -> [ModelOperation] {
    switch random.number(in: 0...5) {
    case 0: [.collapse(folder, levels: .count(1))]
    case 1: [.collapse(folder, levels: .count(1)), .remove(folder)]
    case 2:
      [
        .collapse(folder, levels: .count(1)), .expand(folder, levels: .count(1)), .remove(folder),
      ]
    case 3: [.move([folder], parent: nil, place: .first), .remove(folder)]
    default: [.remove(folder)]
    }
  }
}
