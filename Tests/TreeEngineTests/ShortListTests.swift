import TestSupport
import Testing

@testable import TreeEngine

struct ShortListTests {
  @Test(arguments: Seed.seeds(count: 8))
  func `a short list behaves like an array`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var array: [Int] = []
    var list = ShortList<Int>()
    for step in 0..<Seed.operations(default: 40) {
      switch random.number(in: 0...9) {
      case 0: (array, list) = ([], [])
      case 1: (array, list) = ([step], ShortList(step))
      case 2:
        array.sort(by: >)
        list.sort(by: >)
      case 3 where !array.isEmpty:
        let place = random.number(in: 0...(array.count - 1))
        array[place] = -step
        list[place] = -step
      default:
        let value = random.number(in: 0...99)
        array.append(value)
        list.append(value)
      }
      #expect(Array(list) == array && list.count == array.count, "SEED=\(seed) step \(step)")
      #expect(list == ShortList(array), "SEED=\(seed) step \(step)")
    }
  }
}
