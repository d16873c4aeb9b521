import TestSupport
import Testing

@testable import TreeEngine

struct KeyTableTests {
  @Test(arguments: [1, 7, UInt32.max], Seed.seeds(count: 3))
  func `a table answers like a dictionary, however its hashes collide`(
    mask: UInt32,
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var table = KeyTable()
    var nodes: [Int: Int32] = [:]
    func hash(_ key: Int) -> UInt32 { UInt32(truncatingIfNeeded: key &* 2_654_435_761) & mask }
    for step in 0..<600 {
      let isGrowing = step % 200 < 120
      let key = random.number(in: 0...150)
      if let node = nodes[key] {
        if !isGrowing || random.oneIn(3) {
          table.remove(node, hash: hash(key))
          nodes[key] = nil
        }
      } else if isGrowing || random.oneIn(3) {
        nodes[key] = Int32(key * 3)
        table.insert(Int32(key * 3), hash: hash(key))
      }
      let wrong = (0...150).filter { key in
        table.find(hash: hash(key)) { $0 == Int32(key * 3) } != nodes[key]
      }
      #expect(wrong.isEmpty && table.count == nodes.count, "SEED=\(seed) step \(step): \(wrong)")
    }
  }

  @Test func `the hash of a key is that of its bytes`() {
    let key = Array("a key".utf8)
    let shifted = Array("_a key_".utf8)
    #expect(KeyTable.hash(key.span) == KeyTable.hash(shifted.span.extracting(1..<6)))
    #expect(KeyTable.hash(key.span) != KeyTable.hash(shifted.span))
  }
}
