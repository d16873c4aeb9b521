/// The sum of a run of items: the four numbers of a range-min-max tree.
///
/// An item has a *weight* (the number of positions it covers) and a *step* (its change of the
/// running sum). The running sum of a run starts at zero. The summary stores its minimum and the
/// number of positions that attain it. Summaries form a monoid under ``+``: the summary of a run is
/// the sum of its parts in order.
///
/// Source: Navarro and Sadakane, *Fully Functional Static and Dynamic Succinct Trees*, ACM TALG
/// 10(3), 2014, section 5.
struct Summary: Equatable, Sendable {
  /// The number of positions covered.
  var count: Int32
  /// The total change of the running sum.
  var sum: Int32
  /// The least running sum at any position; ``none`` if no position is covered.
  var minimum: Int32
  /// The number of positions at which the running sum is `minimum`.
  var minimumCount: Int32

  /// A value for "no minimum".
  ///
  /// No sum of steps can reduce it to a real minimum.
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

  /// Adds a run of positions inside this run that leaves all other running sums as they are.
  ///
  /// `run.minimum` is relative to the start of the receiver.
  ///
  /// - Returns: True if `run.minimum` is the minimum of the receiver afterwards.
  mutating func include(_ run: Summary) -> Bool {
    count &+= run.count
    if run.minimum > minimum { return false }
    minimumCount = run.minimumCount &+ (run.minimum == minimum ? minimumCount : 0)
    minimum = run.minimum
    return true
  }

  /// Returns true if another summary differs at most in the count of positions.
  func differsOnlyInCount(from other: Summary) -> Bool {
    sum == other.sum && minimum == other.minimum && minimumCount == other.minimumCount
  }

  /// Returns the number of positions with the running sum `value`.
  ///
  /// - Precondition: No running sum is below `value`.
  func occurrences(of value: Int32) -> Int32 { minimum == value ? minimumCount : 0 }
}

/// An item of a ``RangeMinTree``.
protocol RangeMinItem: Sendable, BitwiseCopyable {
  /// A small number that identifies the item in `leafOf`, or -1 if the item is never looked up.
  var owner: Int32 { get }
  /// The item's own summary.
  var summary: Summary { get }
  /// True if items are only counted and summed. Minima are then not maintained.
  static var isOnlyCounted: Bool { get }
  /// The content of unused places.
  static var filler: Self { get }
  /// ``Anchor`` to keep the compiler from copying a pool to the stack, otherwise ``NoAnchor``.
  associatedtype Anchor: Anchoring = NoAnchor
}

extension RangeMinItem {
  static var isOnlyCounted: Bool { false }
}
