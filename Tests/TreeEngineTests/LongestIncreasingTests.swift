import TestSupport
import Testing

@testable import TreeEngine

struct LongestIncreasingTests {
  @Test(arguments: Seed.seeds(count: 3))
  func `no strictly increasing subsequence is longer`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let values = (0..<random.number(in: 0...9)).map { _ in Int32(random.number(in: 0...9)) }
      let places = longestIncreasing(values)
      #expect(isIncreasing(places.map { Int32($0) }), "SEED=\(seed) \(values)")
      #expect(isIncreasing(places.map { values[$0] }), "SEED=\(seed) \(values)")
      #expect(places.count == longest(values), "SEED=\(seed) \(values)")
    }
  }

  private func isIncreasing(_ values: [Int32]) -> Bool {
    zip(values, values.dropFirst()).allSatisfy(<)
  }

  /// Returns the greatest length, by trying all subsets.
  private func longest(_ values: [Int32]) -> Int {
    (0..<(1 << values.count)).map { subset in
      let chosen = values.indices.filter { subset >> $0 & 1 == 1 }.map { values[$0] }
      return isIncreasing(chosen) ? chosen.count : 0
    }.max() ?? 0
  }
}
