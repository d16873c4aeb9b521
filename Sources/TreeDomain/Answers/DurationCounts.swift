/// A histogram of durations.
package struct DurationCounts: Equatable, Sendable {
  /// The upper bounds of the buckets, in nanoseconds, inclusive.
  package static let bounds = [
    50_000, 100_000, 200_000, 500_000,
    1_000_000, 2_000_000, 5_000_000,
    10_000_000, 20_000_000, 50_000_000,
    100_000_000, 200_000_000, 500_000_000,
    1_000_000_000, 2_000_000_000, 5_000_000_000,
  ]

  /// The number of durations in each bucket.
  ///
  /// The last bucket has no bound.
  package private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
  /// The sum of all durations, in nanoseconds.
  package private(set) var sum = 0

  /// Makes an empty histogram.
  package init() {}

  /// Adds a duration.
  ///
  /// - Complexity: O(bounds).
  package mutating func add(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    counts[Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count] += 1
    sum += nanoseconds
  }

  /// Adds all durations of another histogram.
  ///
  /// - Complexity: O(bounds).
  package mutating func add(_ other: DurationCounts) {
    for place in counts.indices { counts[place] += other.counts[place] }
    sum += other.sum
  }
}
