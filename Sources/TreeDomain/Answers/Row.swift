public import TreeEngine

/// A node as a session sees it; its slices are in the arena of the answer that holds it.
public struct Row: Equatable, Sendable {
  /// The position among the visible rows; `nil` while hidden.
  public var index: Int?
  /// The key's bytes.
  public var key: ByteSlice
  /// The parent's key; `nil` at a root.
  public var parent: ByteSlice?
  /// 0 at a root.
  public var depth: Int
  /// The name of the section; `nil` in a tree without sections.
  public var section: ByteSlice?
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
  /// The object, raw JSON.
  public var object: ByteSlice

  /// Makes a row that is in no section, not selected, under no filter; those can be set afterwards.
  public init(
    index: Int?,
    key: ByteSlice,
    parent: ByteSlice?,
    depth: Int,
    position: Int,
    siblingCount: Int,
    isExpanded: Bool,
    childState: ChildState,
    childCount: Int?,
    visibleDescendantCount: Int,
    object: ByteSlice
  ) {
    self.index = index
    self.key = key
    self.parent = parent
    self.depth = depth
    self.position = position
    self.siblingCount = siblingCount
    self.isExpanded = isExpanded
    self.childState = childState
    self.childCount = childCount
    self.visibleDescendantCount = visibleDescendantCount
    self.object = object
    isSelected = false
  }
}
