/// A histogram of durations.
package struct DurationHistogram: Sendable, Equatable {
  /// The inclusive upper bounds of the buckets, in nanoseconds, ascending.
  package static let bounds = [
    100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000,
    10_000_000, 25_000_000, 50_000_000,
    100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]

  /// The number of durations in each bucket; the last bucket has no upper bound.
  package var counts: [Int]
  /// The sum of the durations, in nanoseconds.
  package var sum: Int

  /// Creates a histogram.
  ///
  /// There must be one count more than there are bounds.
  package init(counts: [Int], sum: Int) {
    precondition(counts.count == Self.bounds.count + 1, "there is a bucket after the last bound")
    self.counts = counts
    self.sum = sum
  }

  /// Creates an empty histogram.
  package init() {
    self.init(counts: Array(repeating: 0, count: Self.bounds.count + 1), sum: 0)
  }

  /// The number of durations.
  package var count: Int { counts.reduce(0, +) }

  /// Adds the durations of another histogram.
  package mutating func add(_ other: DurationHistogram) {
    for (index, count) in other.counts.enumerated() { counts[index] += count }
    sum += other.sum
  }

  /// Returns the bucket of a duration, in 0...`bounds.count`.
  ///
  /// - Complexity: O(index of the bucket), so short durations are fast.
  package static func bucket(of nanoseconds: Int) -> Int {
    bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count
  }
}
