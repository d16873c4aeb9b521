import TestSupport
import Testing

@testable import TreeEngine

struct NodeTableTests {
  @Test(arguments: Seed.seeds(count: 8))
  func `a table of nodes behaves like a dictionary`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Consecutive ids, and ids that share a slot.
    let factor: Int32 = random.number(in: 0...1) == 0 ? 1 : 8
    var table = NodeTable<Int32>(minimumCapacity: random.number(in: 0...1) * 40)
    var dictionary: [NodeID: Int32] = [:]
    for step in 0..<2_000 {
      let node = NodeID(Int32(random.number(in: 0...150)) * factor)
      let value = random.number(in: 0...2) == 0 ? nil : Int32(step)
      table[node] = value
      dictionary[node] = value
      #expect(table.count == dictionary.count, "SEED=\(seed)")
    }
    for number in 0...1_300 {
      let node = NodeID(Int32(number))
      #expect(table[node] == dictionary[node], "SEED=\(seed)")
    }
    var copy = NodeTable<Int32>()
    var shown = 0
    table.forEach { node, value in
      copy[node] = value
      shown += 1
    }
    #expect(shown == dictionary.count && copy == table, "SEED=\(seed)")
    copy[NodeID(0)] = -1
    #expect(copy != table, "SEED=\(seed)")
  }
}
