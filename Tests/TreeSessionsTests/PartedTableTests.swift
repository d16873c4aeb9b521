import TestSupport
import Testing

@testable import TreeSessions

@Suite struct PartedTableTests {
  @Test(arguments: 0..<4) func `a table is like a dictionary`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = PartedTable<Int, Int>()
    var model: [Int: Int] = [:]
    for step in 0..<20_000 {
      let key = Int.random(in: 0..<3_000, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2: (table[key], model[key]) = (step, step)
      case 3: (table[key], model[key]) = (nil, nil)
      case 4: #expect(table.removeValue(forKey: key) == model.removeValue(forKey: key))
      case 5:
        let old = table.update(key) { value in
          defer { value = step }
          return value
        }
        #expect(old == model[key], "seed \(seed)")
        if old != nil { model[key] = step }
      case 6 where step % 50 == 0:
        for part in 0..<PartedTable<Int, Int>.partCount { table.filterPart(part) { $0 % 3 > 0 } }
        model = model.filter { $0.value % 3 > 0 }
      default: #expect(table[key] == model[key], "seed \(seed)")
      }
      #expect(table.count == model.count && table.isEmpty == model.isEmpty, "seed \(seed)")
    }
    let entries = Dictionary(uniqueKeysWithValues: table.entries.map { ($0.key, $0.value) })
    #expect(entries == model, "seed \(seed)")
    let parts = (0..<PartedTable<Int, Int>.partCount).map { table.part($0) }
    #expect(parts.reduce(0) { $0 + $1.count } == model.count)
    #expect(parts.allSatisfy { $0.count < model.count / 16 }, "entries are spread evenly")
  }

  @Test func `unused room is given back`() {
    var table = [Int: Int](uniqueKeysWithValues: (0..<10_000).map { ($0, $0) })
    for key in 100..<10_000 { table[key] = nil }
    let before = table.capacity
    table.giveBackRoom()
    #expect(table.capacity * 8 < before)
    let capacity = table.capacity
    table.giveBackRoom()
    #expect(table.capacity == capacity && table.count == 100 && table[99] == 99)
    var empty = [Int: Int](minimumCapacity: 1_000)
    empty.giveBackRoom()
    #expect(empty.capacity < 100)
  }

  @Test func `the newest ids are remembered, and the oldest are forgotten`() {
    var ids = RecentIDs<Int>(atLeast: 10)
    for id in 0..<1_000 {
      #expect(ids.insert(id) && !ids.insert(id))
      #expect((max(0, id - 9)...id).allSatisfy(ids.contains))
      #expect(!ids.contains(id - 20))
    }
  }
}
