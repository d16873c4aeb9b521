/// How many durations were at most so long.
public struct DurationCounts: Equatable, Sendable {
  /// The bounds between buckets, in nanoseconds: a duration that equals one is below it.
  public static let bounds = [
    50_000, 100_000, 200_000, 500_000,
    1_000_000, 2_000_000, 5_000_000,
    10_000_000, 20_000_000, 50_000_000,
    100_000_000, 200_000_000, 500_000_000,
    1_000_000_000, 2_000_000_000, 5_000_000_000,
  ]

  /// How many durations there are between two bounds, before the first and after the last.
  public private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
  /// The sum of all, in nanoseconds.
  public private(set) var sum = 0

  /// No durations.
  public init() {}

  /// Counts one.
  ///
  /// - Complexity: O(bounds).
  public mutating func add(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    counts[Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count] += 1
    sum += nanoseconds
  }
}
