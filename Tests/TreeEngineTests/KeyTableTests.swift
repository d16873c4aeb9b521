import TestSupport
import Testing

@testable import TreeEngine

struct KeyTableTests {
  @Test(arguments: [1, 7, 7 << 29, 31 << 27, UInt32.max], Seed.seeds(count: 3))
  func `a table behaves like a dictionary, whatever hashes collide`(
    mask: UInt32,
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    // Segments are split from the twelfth key on.
    var table = KeyTable(mostSlots: 16)
    if random.oneIn(2) { table.reserve(random.number(in: 0...100)) }
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

  @Test(arguments: [0, 10_000])
  func `many keys are found in small segments, reserved or not`(reserved: Int) {
    var table = KeyTable(mostSlots: 64)
    table.reserve(reserved)
    func hash(_ key: Int32) -> UInt32 { UInt32(key) &* 2_654_435_761 }
    for key in 0..<10_000 as Range<Int32> {
      #expect(table.find(hash: hash(key)) { $0 == key } == nil)
      table.insert(key, hash: hash(key))
    }
    for key in stride(from: 0 as Int32, to: 10_000, by: 3) { table.remove(key, hash: hash(key)) }
    for key in 0..<10_000 as Range<Int32> {
      let found = table.find(hash: hash(key)) { $0 == key }
      #expect(found == (key % 3 == 0 ? nil : key))
    }
    #expect(table.count == 6_666)
  }

  @Test func `the hash of a key depends on its bytes only`() {
    let key = Array("a key".utf8)
    let shifted = Array("_a key_".utf8)
    #expect(KeyTable.hash(key.span) == KeyTable.hash(shifted.span.extracting(1..<6)))
    #expect(KeyTable.hash(key.span) != KeyTable.hash(shifted.span))
  }
}
