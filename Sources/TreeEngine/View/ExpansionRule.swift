/// A rule for the expansion of nodes that nobody has toggled.
public enum ExpansionRule: Hashable, Sendable {
  /// Expands every node that is not a leaf.
  case all
  /// Expands the nodes of depth below `levels`, where roots have depth 0. `levels(0)` expands none.
  case levels(Int)

  /// Expands nothing, so that only the roots are rows.
  public static let none = ExpansionRule.levels(0)

  /// An upper bound of levels, larger than any tree's and small enough to prevent overflow.
  static let mostLevels: Int32 = 1 << 28

  /// The number of levels that the rule expands, limited to 0...`mostLevels`.
  ///
  /// Nil for `all`.
  var levels: Int32? {
    guard case .levels(let levels) = self else { return nil }
    return Int32(min(max(levels, 0), Int(Self.mostLevels)))
  }

  /// Returns true if the rule expands a node at a depth, counted from 1 at the roots.
  func expands(atDepth depth: Int32) -> Bool {
    levels.map { depth <= $0 } ?? true
  }

  /// Returns the number of collapsed ancestors of a node under the rule alone.
  func collapsedAncestors(atDepth depth: Int32) -> Int32 {
    levels.map { max(0, depth - 1 - $0) } ?? 0
  }
}
