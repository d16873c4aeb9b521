public import TreeEngine

/// How a session shows its tree.
public struct SessionOptions: Equatable, Sendable {
  /// Whether collapsing a node also collapses what is inside.
  public enum NestedExpansion: String, CaseIterable, Sendable {
    /// What was expanded inside is so again when the node opens.
    case remember
    /// Everything inside is collapsed, too.
    case forget
  }

  /// Which nodes are expanded before anybody toggles one.
  public var expansion: ExpansionRule
  /// What collapsing does to the inside.
  public var nestedExpansion: NestedExpansion
  /// The order of siblings in the tree; empty for arrival order.
  public var sort: SortOrder

  /// Makes options; everything expanded, in arrival order, is the default.
  public init(
    expansion: ExpansionRule = .all,
    nestedExpansion: NestedExpansion = .remember,
    sort: SortOrder = SortOrder([])
  ) {
    self.expansion = expansion
    self.nestedExpansion = nestedExpansion
    self.sort = sort
  }
}
