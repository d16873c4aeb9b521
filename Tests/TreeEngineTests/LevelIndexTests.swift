import TestSupport
import Testing

@testable import TreeEngine

struct LevelIndexTests {
  @Test(arguments: Seed.seeds(count: 10))
  func `an index counts the entries up to its depth`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    for _ in 0..<30 { _ = pair.randomOperation(&random) }
    pair.tree.commit()
    let depths = [0] + pair.naive.nodes.map { $0.depth + 1 }
    let ids = [.forestRoot] + pair.naive.nodes.map { pair.id($0) }
    for deepest in 0...4 {
      let index = LevelIndex(deepest: Int32(deepest), of: pair.tree.editor.base.forest)
      let held = depths.indices.filter { depths[$0] <= deepest }
      for position in 0...depths.count {
        let count = index.count(before: Int32(position), in: pair.tree.editor.base.forest)
        #expect(Int(count) == held.filter { $0 < position }.count, "SEED=\(seed) \(position)")
      }
      for (rank, position) in held.enumerated() {
        let place = index.place(at: Int32(rank), in: pair.tree.editor.base.forest)
        #expect(Int(place.position) == position, "SEED=\(seed) \(position)")
        let found = pair.tree.editor.base.forest.node(at: place)
        #expect(found == ids[position], "SEED=\(seed) \(position)")
      }
    }
  }
}
