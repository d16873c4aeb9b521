public import TreeEngine

/// A node as a session shows it, without its strings.
public struct Row: Equatable, Sendable {
  /// The position among the visible rows; `nil` while hidden.
  public var index: Int?
  /// The depth.
  ///
  /// A root has 0.
  public var depth: Int
  /// The position among the visible rows of the section; `nil` while hidden, or without sections.
  public var sectionRow: Int?
  /// The position among the parent's children, or among the section's roots.
  public var position: Int
  /// The number of siblings, with this node.
  public var siblingCount: Int
  /// True if the node is expanded, so that its children are shown if the node itself is.
  public var isExpanded: Bool
  /// The state of the children.
  public var childState: ChildState
  /// The number of children; `nil` if unknown.
  public var childCount: Int?
  /// The number of visible descendants.
  ///
  /// 0 while the node is collapsed.
  public var visibleDescendantCount: Int
  /// True if the node is selected.
  public var isSelected: Bool
  /// True if the filter matches the node; `nil` without a filter.
  public var isMatched: Bool?

  /// Makes a row without section, selection and match.
  ///
  /// They can be set later.
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
