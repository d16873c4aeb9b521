/// How many durations were at most so long.
public struct DurationHistogram: Sendable, Equatable {
  /// The bounds between buckets, in nanoseconds: a duration that equals one is below it.
  public static let bounds = [
    100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000,
    10_000_000, 25_000_000, 50_000_000,
    100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]

  /// How many durations there are between two bounds, before the first and after the last.
  public var counts: [Int]
  /// The sum of the durations in nanoseconds.
  public var sum: Int

  /// A histogram of observations; one count more than there are bounds.
  public init(counts: [Int], sum: Int) {
    precondition(counts.count == Self.bounds.count + 1, "there is a bucket after the last bound")
    self.counts = counts
    self.sum = sum
  }

  /// A histogram of no durations.
  public init() {
    self.init(counts: Array(repeating: 0, count: Self.bounds.count + 1), sum: 0)
  }

  /// How many durations there are.
  public var count: Int { counts.reduce(0, +) }

  /// Adds those of another one.
  public mutating func add(_ other: DurationHistogram) {
    for (index, count) in other.counts.enumerated() { counts[index] += count }
    sum += other.sum
  }

  /// The bucket a duration belongs to, in 0...`bounds.count`.
  ///
  /// O(bounds), and short for short ones.
  public static func bucket(of nanoseconds: Int) -> Int {
    bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count
  }
}
