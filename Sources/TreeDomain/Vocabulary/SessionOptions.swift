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

  /// How long a session may lie idle when nothing else is said: a week.
  static let defaultIdleTimeoutSeconds = 604_800
  /// The longest an idle session may be asked to be kept: a year.
  static let maxIdleTimeoutSeconds = 31_536_000

  /// Which nodes are expanded before anybody toggles one.
  public var expansion: ExpansionRule
  /// What collapsing does to the inside.
  public var nestedExpansion: NestedExpansion
  /// The order of siblings in the tree, if it is the session's own; empty for arrival order.
  public var sort: SortOrder
  /// The order of rows.
  public var order = RowOrder.depthFirst
  /// Which nodes are rows, with their ancestors; `nil` for all.
  public var filter: Filter?
  /// How many nodes can be selected.
  public var selection = SelectionMode.multiple
  /// Whether expanding a node collapses its expanded siblings.
  public var accordion = false
  /// The changes that clients of the session may make; no patch changes it.
  public var access = SessionAccess.write
  /// How long the session may lie idle, in seconds; 0 for ever.
  public var idleTimeoutSeconds = defaultIdleTimeoutSeconds

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
