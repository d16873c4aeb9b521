import TestSupport
import Testing

@testable import TreeEngine

struct HeaviestIncreasingTests {
  /// Returns the weight of the heaviest of all subsequences.
  private func most(_ items: [(value: Int, weight: Int)]) -> Int {
    var best = 0
    for set in 0..<(1 << items.count) {
      let chosen = items.indices.filter { set & (1 << $0) != 0 }.map { items[$0] }
      guard zip(chosen, chosen.dropFirst()).allSatisfy({ $0.value < $1.value }) else { continue }
      best = max(best, chosen.reduce(0) { $0 + $1.weight })
    }
    return best
  }

  @Test(arguments: Seed.seeds(count: 40))
  func `the subsequence is as heavy as the best of all`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let values = (0..<random.number(in: 0...10)).shuffled(using: &random)
    let items = values.map { (value: 7 * $0 - 20, weight: random.number(in: 1...9)) }
    let places = heaviestIncreasing(items)
    let chosen = places.map { items[$0] }
    #expect(places == places.sorted())
    #expect(zip(chosen, chosen.dropFirst()).allSatisfy { $0.value < $1.value })
    #expect(chosen.reduce(0) { $0 + $1.weight } == most(items), "\(items)")
  }
}
