/// How little a rule of expansion alone covers entries: the least number of collapsed nodes above
/// one, and how often that occurs among them.
struct RuleCover: Equatable, Sendable {
  var minimum: Int32
  var count: Int32

  /// That of no entries.
  static let none = RuleCover(minimum: 0, count: 0)

  /// Adds entries to those there.
  mutating func add(_ other: RuleCover) {
    if count == 0 || other.count > 0 && other.minimum < minimum {
      self = other
    } else if other.minimum == minimum {
      count += other.count
    }
  }
}

/// Entries that stand side by side and come or go together, and what a rule alone makes of them.
///
/// The first of them is the least deep, or one of those.
struct RuleStretch: Sendable {
  var start: Int32
  var end: Int32
  /// The depth of the first.
  var depth: Int32
  /// The cover of the entries.
  var inside: RuleCover
  /// The cover of all entries before them, the forest root aside.
  var before: RuleCover

  var count: Int32 { end - start }
}

/// The same stretch as the rules of many views see it: each rule is asked once.
struct RuleStretches<Width: NodeWidth> {
  let start: Int32
  let end: Int32
  let depth: Int32
  // Mostly all views have one rule.
  private var first: (rule: ExpansionRule, stretch: RuleStretch)?
  private var others: [(rule: ExpansionRule, stretch: RuleStretch)] = []

  init(from start: Int32, to end: Int32, depth: Int32) {
    (self.start, self.end, self.depth) = (start, end, depth)
  }

  /// - Complexity: O(log *n*) for a rule that is new, else O(rules).
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
