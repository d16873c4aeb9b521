import JSON
import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

@Suite struct SiblingKeysTests {
  private let order = SortOrder([SortDescriptor(by: .value(.whole), compare: .number)])

  private func key(_ value: Int) -> SortKey {
    order.key(of: SortOrder.Subject(key: [], object: Array("\(value)".utf8)[...]))
  }

  @Test(arguments: Seed.seeds(count: 6))
  func `the first greater key is the same as in a plain list`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var values = (0..<random.choice([0, 1, 63, 64, 65, 700])).map { _ in
      random.number(in: 0...50)
    }
    var keys = SiblingKeys(values.map { key($0) })
    for step in 0..<600 {
      let value = random.number(in: 0...55)
      switch random.number(in: 0...3) {
      case 0 where !values.isEmpty:
        let index = random.number(in: 0...(values.count - 1))
        values.remove(at: index)
        keys.remove(at: index)
      case 1 where !values.isEmpty:
        let index = random.number(in: 0...(values.count - 1))
        values[index] = value
        keys.replace(at: index, by: key(value))
      default:
        let index = random.oneIn(3) ? values.count : random.number(in: 0...values.count)
        values.insert(value, at: index)
        keys.insert(key(value), at: index)
      }
      let sought = random.number(in: -1...55)
      let start = random.oneIn(2) ? 0 : random.number(in: 0...values.count)
      let expected = values[start...].firstIndex { $0 > sought }
      #expect(keys.count == values.count)
      let found = keys.firstIndex(greaterThan: key(sought), from: start)
      #expect(found == expected, "SEED=\(seed) step \(step)")
    }
  }
}
