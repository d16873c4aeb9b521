import TestSupport
import Testing

@testable import TreeEngine

struct FindManyTests {
  @Test(arguments: Seed.seeds(count: 8))
  func `a lookup of many keys finds the same nodes as single lookups`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var history = HistoryPair<Fanout<4>>(rules: [.all], limits: HistoryLimits())
    for step in 0..<Seed.operations(default: 60) {
      history.randomTransaction(&random)
      var keys = history.pair.naive.nodes.map { Array($0.key.utf8) }
      for _ in 0..<random.number(in: 0...9) {
        let known = keys.isEmpty ? [] : random.choice(keys)
        keys.append([0x78] + known)
      }
      keys.shuffle(using: &random)
      var ranges: [Range<Int>] = []
      var bytes: [UInt8] = []
      for key in keys {
        ranges.append(bytes.count..<(bytes.count + key.count))
        bytes += key
      }
      let together = history.pair.tree.nodes(forKeys: ranges, in: bytes)
      var apart: [NodeID] = []
      for key in keys { apart.append(history.pair.tree.node(forKey: key.span) ?? .forestRoot) }
      #expect(together == apart, "SEED=\(seed) step \(step)")
      var expected: [NodeID] = []
      for key in keys {
        let hash = history.pair.tree.expect(key.span)
        history.pair.tree.expectNode(ofHash: hash)
        expected.append(history.pair.tree.node(forKey: key.span, hash: hash) ?? .forestRoot)
      }
      #expect(expected == apart, "SEED=\(seed) step \(step)")
    }
  }

  @Test func `a removed key is counted`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    pair.tree.begin()
    let list = [(key: "a", depth: 0, state: ChildState.leaf)]
    try pair.insert(list, object: "1", under: pair.naive.root, at: 0)
    pair.tree.commit()
    let before = pair.tree.freedKeyCount
    pair.tree.begin()
    pair.tree.update(pair.id(pair.naive.nodes[0]), object: Array("2".utf8).span)
    let same = pair.tree.freedKeyCount
    pair.tree.remove(pair.id(pair.naive.nodes[0]))
    let after = pair.tree.freedKeyCount
    pair.tree.rollback()
    #expect(same == before && after == before + 1)
  }
}
