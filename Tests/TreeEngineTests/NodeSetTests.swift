import TestSupport
import Testing

@testable import TreeEngine

struct NodeSetTests {
  @Test(arguments: Seed.seeds(count: 10))
  func `a set of nodes contains each node once, in order of insertion`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let range = random.choice([3, 20, 1_000, 100_000])
    var set = NodeSet()
    var map = NodeMap<Int>()
    var expected: [NodeID] = []
    for step in 0..<300 {
      let node = NodeID(Int32(random.number(in: 0...range)))
      let isNew = !expected.contains(node)
      #expect(set.insert(node) == isNew, "SEED=\(seed) step \(step)")
      map.insert(node, step)
      if isNew { expected.append(node) }
      let other = NodeID(Int32(random.number(in: 0...range)))
      #expect(set.place(of: other) == expected.firstIndex(of: other), "SEED=\(seed) step \(step)")
      #expect((map[other] == nil) == (set.place(of: other) == nil), "SEED=\(seed) step \(step)")
    }
    #expect(set.nodes == expected && map.keys.nodes == expected, "SEED=\(seed)")
    #expect(map.values == map.values.sorted(), "SEED=\(seed): a value was replaced")
  }

  @Test func `a record stores child count and child state independently`() {
    var record = NodeRecord(childState: .leaf)
    for state in [ChildState.leaf, .unloaded, .loading, .failed, .loaded] {
      for count: Int32 in [0, 1, 1 << 29 - 1] {
        record.childState = state
        record.childCount = count
        #expect(record.childState == state && record.childCount == count)
        record.childState = .loaded
        record.childState = state
        #expect(record.childCount == count)
      }
    }
    #expect(MemoryLayout<NodeRecord>.stride == 24)
  }
}
