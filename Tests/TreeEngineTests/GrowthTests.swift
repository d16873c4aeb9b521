import TestSupport
import Testing

@testable import TreeEngine

/// What is said of copying before a tree grows.
struct GrowthTests {
  @Test(arguments: Seed.seeds(count: 10))
  func `no array of a tree grows unless it was said to, and seldom is it said`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var tree = SizedTree<Fanout<64>>()
    var nodes = [NodeID.forestRoot]
    var timesSaid = 0
    for number in 0..<5_000 {
      let text = Array("\(number)".utf8)
      let leaf = NewNode(key: text.indices, object: text.indices, depth: 0, childState: .leaf)
      let copied = tree.bytesCopied(inserting: 1, at: 1, bytes: text.count)
      let before = Self.capacities(of: tree)
      tree.begin()
      let parent = nodes[random.number(in: 0...(nodes.count - 1))]
      if let node = try? tree.insert([leaf], bytes: text, under: parent, at: 0) {
        nodes.append(node)
      }
      tree.commit()
      timesSaid += copied > 0 ? 1 : 0
      let isSame = Self.capacities(of: tree) == before
      #expect(copied > 0 || isSame, "seed \(seed), node \(number)")
    }
    #expect(timesSaid > 20 && timesSaid < 2_500, "seed \(seed)")
    #expect(nodes.count == 5_001)
  }

  /// How much room the large arrays have.
  private static func capacities(of tree: borrowing SizedTree<Fanout<64>>) -> [Int] {
    let (forest, sequence) = (tree.forest.records.capacity, tree.forest.sequence.items.capacity)
    return [
      forest, sequence, tree.forest.sequence.leafOf.capacity,
      tree.forest.keyArena.bytes.capacity, tree.forest.objectArena.bytes.capacity,
      tree.forest.keyTable.bytesCopied(adding: .max / 8),
    ]
  }
}
