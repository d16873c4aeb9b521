/// What a run of items adds up to: the four numbers of a range-min-max tree.
///
/// An item has a *weight* (how many positions it covers) and a *step* (how much the running sum
/// changes at it). The running sum inside a run, starting from zero, has a minimum; the summary
/// knows it and how many positions attain it. Summaries form a monoid under ``+``: a run's summary
/// is the sum of its parts in order.
///
/// Source: Navarro and Sadakane, *Fully Functional Static and Dynamic Succinct Trees*, ACM TALG
/// 10(3), 2014, section 5.
struct Summary: Equatable, Sendable {
  /// Positions covered.
  var count: Int32
  /// Total change of the running sum.
  var sum: Int32
  /// The least running sum at any position; ``none`` when no position is covered.
  var minimum: Int32
  /// Positions at which the running sum is `minimum`.
  var minimumCount: Int32

  /// Stands for "no minimum": larger than every real one by more than any sum can take away.
  static let none: Int32 = 1 << 29

  static let zero = Summary(count: 0, sum: 0, minimum: none, minimumCount: 0)

  static func + (left: Summary, right: Summary) -> Summary {
    let shifted = left.sum &+ right.minimum
    let least = min(left.minimum, shifted)
    return Summary(
      count: left.count &+ right.count,
      sum: left.sum &+ right.sum,
      minimum: least,
      minimumCount: (left.minimum == least ? left.minimumCount : 0)
        &+ (shifted == least ? right.minimumCount : 0)
    )
  }

  static func += (left: inout Summary, right: Summary) { left = left + right }

  /// Takes in positions at which nothing is but a minimum, given as the running sum is here.
  ///
  /// - Returns: whether it is as low as any.
  mutating func include(_ run: Summary) -> Bool {
    count &+= run.count
    if run.minimum > minimum { return false }
    minimumCount = run.minimumCount &+ (run.minimum == minimum ? minimumCount : 0)
    minimum = run.minimum
    return true
  }

  /// Whether another covers more or fewer positions, but is the same in all else.
  func differsOnlyInCount(from other: Summary) -> Bool {
    sum == other.sum && minimum == other.minimum && minimumCount == other.minimumCount
  }

  /// How many positions have the running sum `value`, which nothing in the run goes below.
  func occurrences(of value: Int32) -> Int32 { minimum == value ? minimumCount : 0 }
}

/// What a ``RangeMinTree`` holds.
protocol RangeMinItem: Sendable, BitwiseCopyable {
  /// A small number by which the item's leaf is found again, or -1 where nobody asks.
  var owner: Int32 { get }
  /// The item's own summary.
  var summary: Summary { get }
  /// Whether items are only counted and summed, so that nobody asks for minima.
  static var isOnlyCounted: Bool { get }
  /// What unused places hold.
  static var filler: Self { get }
  /// Whether a pool of such trees may be moved about.
  associatedtype Anchor: Anchoring = NoAnchor
}

extension RangeMinItem {
  static var isOnlyCounted: Bool { false }
}
