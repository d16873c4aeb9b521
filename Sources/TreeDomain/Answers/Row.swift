public import TreeEngine

/// What a session shows of a node, beside its strings.
public struct Row: Equatable, Sendable {
  /// The position among the visible rows; `nil` while hidden.
  public var index: Int?
  /// 0 at a root.
  public var depth: Int
  /// The position among the visible rows of the section; `nil` while hidden, or without sections.
  public var sectionRow: Int?
  /// The position among the parent's children, or among the section's roots.
  public var position: Int
  /// How many siblings there are, this node included.
  public var siblingCount: Int
  /// Whether the children are shown when the node itself is.
  public var isExpanded: Bool
  /// What is known about the children.
  public var childState: ChildState
  /// How many children there are; `nil` while that is not known.
  public var childCount: Int?
  /// How many rows come with the node's expansion; 0 while it is collapsed.
  public var visibleDescendantCount: Int
  /// Whether the node is selected.
  public var isSelected: Bool
  /// Whether the filter matches the node; `nil` while there is none.
  public var isMatched: Bool?

  /// Makes a row that is in no section, not selected, under no filter; those can be set afterwards.
  @inlinable
  public init(
    index: Int?,
    depth: Int,
    position: Int,
    siblingCount: Int,
    isExpanded: Bool,
    childState: ChildState,
    childCount: Int?,
    visibleDescendantCount: Int
  ) {
    self.index = index
    self.depth = depth
    self.position = position
    self.siblingCount = siblingCount
    self.isExpanded = isExpanded
    self.childState = childState
    self.childCount = childCount
    self.visibleDescendantCount = visibleDescendantCount
    isSelected = false
  }
}
