/// What a view shows of a node.
public struct ViewRow: Equatable, Sendable {
  /// The node.
  public var node: NodeID
  /// Its row, from 0; nil while it is hidden.
  public var index: Int?
  /// 0 for a root.
  public var depth: Int
  /// The parent; ``NodeID/forestRoot`` for a root.
  public var parent: NodeID
  /// How many siblings stand before it; for a row under a filter, how many that are rows.
  public var position: Int
  /// How many siblings there are, itself included; for a row under a filter, how many are rows.
  public var siblingCount: Int
  /// Whether it is expanded; a leaf never is.
  public var isExpanded: Bool
  /// What is known about its children.
  public var childState: ChildState
  /// How many children it has, or while nobody supplied them is said to have; nil where nobody
  /// knows.
  public var childCount: Int?
  /// How many rows are, or were it a row would be, below it.
  public var visibleDescendantCount: Int
  /// Whether the client selected it.
  public var isSelected = false
  /// Whether it matches the view's filter; nil without one.
  public var isMatched: Bool?
}
