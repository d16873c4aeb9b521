/// Which nodes of a view are expanded, before anybody toggled one.
public enum ExpansionRule: Hashable, Sendable {
  /// Every node that has children, or may have.
  case all
  /// The nodes of depth below `levels` (a root's depth is 0); `levels(0)` is none.
  case levels(Int)

  /// Nothing is expanded: only the roots are rows.
  public static let none = ExpansionRule.levels(0)

  /// More levels than any tree has, and few enough to reckon with.
  static let mostLevels: Int32 = 1 << 28

  /// How many levels a rule of levels expands, as far as it makes a difference.
  var levels: Int32? {
    guard case .levels(let levels) = self else { return nil }
    return Int32(min(max(levels, 0), Int(Self.mostLevels)))
  }

  /// Whether the rule expands a node at a depth of the sequence, where roots stand at 1.
  func expands(atDepth depth: Int32) -> Bool {
    levels.map { depth <= $0 } ?? true
  }

  /// How many of the nodes above an entry the rule alone keeps collapsed.
  func collapsedAncestors(atDepth depth: Int32) -> Int32 {
    levels.map { max(0, depth - 1 - $0) } ?? 0
  }
}
