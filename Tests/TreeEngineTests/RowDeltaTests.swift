import TestSupport
import Testing

@testable import TreeEngine

struct RowDeltaTests {
  @Test(arguments: Seed.seeds(count: 200))
  func `the runs of a delta are those of random splices`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let before = (0..<random.choice([0, 1, 5, 40, 200])).map { Int32($0) }
    var after = before
    var fresh: Int32 = 1_000
    var delta = RowDelta<Fanout<4>>(rowCount: Int32(before.count))
    for step in 0..<60 {
      let count = random.number(in: 1...4)
      if random.oneIn(2), after.count >= count {
        let row = random.number(in: 0...(after.count - count))
        let listed = after[row..<(row + count)].map { node in
          RowDelta<Fanout<4>>.Listed(node: NodeID(node), parent: .forestRoot, depth: 1)
        }
        delta.delete(at: Int32(row), count: Int32(count), rows: listed)
        after.removeSubrange(row..<(row + count))
      } else {
        let row = random.number(in: 0...after.count)
        after.insert(contentsOf: fresh..<(fresh + Int32(count)), at: row)
        fresh += Int32(count)
        delta.insert(at: Int32(row), count: Int32(count))
      }
      delta.checkInvariants()
      check(delta, before, after, "SEED=\(seed) step \(step)")
    }
  }

  @Test(arguments: Seed.seeds(count: 200))
  func `single insertions are sorted into runs`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let before = (0..<random.choice([0, 1, 5, 40])).map { Int32($0) }
    var after = before
    var delta = RowDelta<Fanout<4>>(rowCount: Int32(before.count))
    for step in 0..<random.choice([1, 2, 3, 7, 70]) {
      let count = random.number(in: 1...3)
      let row = random.number(in: 0...after.count)
      after.insert(contentsOf: repeatElement(1_000, count: count), at: row)
      delta.insert(at: Int32(row), count: Int32(count))
      check(delta, before, after, "SEED=\(seed) step \(step)")
    }
    // A deletion then removes one of the rows.
    let row = random.number(in: 0...(after.count - 1))
    let listed = RowDelta<Fanout<4>>.Listed(node: NodeID(after[row]), parent: .forestRoot, depth: 1)
    delta.delete(at: Int32(row), count: 1, rows: [listed])
    after.remove(at: row)
    delta.checkInvariants()
    check(delta, before, after, "SEED=\(seed) and one went")
  }

  private func check(
    _ delta: RowDelta<Fanout<4>>,
    _ before: [Int32],
    _ after: [Int32],
    _ context: String
  ) {
    var index: Int32 = 0
    var newIndex: Int32 = 0
    var retained: [Int32] = []
    delta.forEach { run, first, newFirst in
      #expect(first == index && newFirst == newIndex, "a gap between runs, \(context)")
      let old = run.kind == .inserted ? [] : before[Int(first)..<Int(first + run.count)]
      let new = run.kind == .deleted ? [] : after[Int(newFirst)..<Int(newFirst + run.count)]
      switch run.kind {
      case .retained:
        #expect(old == new, "\(context)")
        retained += old
      case .deleted:
        let listed = delta.listed[Int(run.list)..<Int(run.list + run.count)]
        #expect(listed.map(\.node.index) == Array(old), "\(context)")
      case .inserted: #expect(new.allSatisfy { $0 >= 1_000 }, "\(context)")
      }
      index += Int32(old.count)
      newIndex += Int32(new.count)
    }
    #expect(index == before.count && newIndex == after.count, "rows are missing, \(context)")
    #expect(retained == before.filter(Set(after).contains), "\(context)")
  }
}
