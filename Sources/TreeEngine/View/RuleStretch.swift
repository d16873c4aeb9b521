/// The minimum cover of some entries under an expansion rule alone, and the number of entries that
/// attain it.
///
/// See ``View`` for *cover*.
struct RuleCover: Equatable, Sendable {
  var minimum: Int32
  var count: Int32

  /// The cover of an empty range.
  static let none = RuleCover(minimum: 0, count: 0)

  /// Combines the cover with that of other entries.
  mutating func add(_ other: RuleCover) {
    if count == 0 || other.count > 0 && other.minimum < minimum {
      self = other
    } else if other.minimum == minimum {
      count += other.count
    }
  }
}

/// A range of consecutive entries that are inserted or removed together, with its covers under a
/// rule.
///
/// No entry of the range is less deep than the first.
struct RuleStretch: Sendable {
  var start: Int32
  var end: Int32
  /// The depth of the first entry.
  var depth: Int32
  /// The cover of the entries in the range.
  var inside: RuleCover
  /// The cover of all entries before the range, without the forest root.
  var before: RuleCover

  var count: Int32 { end - start }
}

/// A range of entries under the rules of several views.
///
/// Each rule is evaluated once.
struct RuleStretches<Width: NodeWidth> {
  let start: Int32
  let end: Int32
  let depth: Int32
  // Mostly all views have the same rule.
  private var first: (rule: ExpansionRule, stretch: RuleStretch)?
  private var others: [(rule: ExpansionRule, stretch: RuleStretch)] = []

  init(from start: Int32, to end: Int32, depth: Int32) {
    (self.start, self.end, self.depth) = (start, end, depth)
  }

  /// Returns the range under a rule.
  ///
  /// - Complexity: O(log *n*) for a new rule, otherwise O(number of rules).
  mutating func stretch(
    under rule: ExpansionRule,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> RuleStretch {
    if let first, first.rule == rule { return first.stretch }
    if let known = others.first(where: { $0.rule == rule }) { return known.stretch }
    let stretch = RuleStretch(
      start: start,
      end: end,
      depth: depth,
      inside: View.cover(by: rule, from: start, to: end, in: forest, indexes),
      before: View.cover(by: rule, from: 1, to: start, in: forest, indexes)
    )
    if first == nil {
      first = (rule, stretch)
    } else {
      others.append((rule, stretch))
    }
    return stretch
  }
}
