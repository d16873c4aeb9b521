/// A node as a view shows it.
public struct ViewRow: Equatable, Sendable {
  /// The node.
  public var node: NodeID
  /// The index of its row; nil while it is hidden.
  public var index: Int?
  /// The depth; 0 for a root.
  public var depth: Int
  /// The parent; ``NodeID/forestRoot`` for a root.
  public var parent: NodeID
  /// The number of siblings before it; for a row under a filter, only those that are rows.
  public var position: Int
  /// The number of siblings, itself included; for a row under a filter, only those that are rows.
  public var siblingCount: Int
  /// True if it is expanded, which a leaf never is.
  public var isExpanded: Bool
  /// The state of its children.
  public var childState: ChildState
  /// The number of its children, or the hint while they are not loaded; nil if unknown.
  public var childCount: Int?
  /// The number of rows below it; for a hidden node, the number there would be if it were a row.
  public var visibleDescendantCount: Int
  /// True if the client selected it.
  public var isSelected = false
  /// True if it matches the view's filter; nil without one.
  public var isMatched: Bool?
}

/// A row with its parent and depth, and the slices of its key and object.
public struct OutlinedRow: Sendable {
  /// The node.
  public let node: NodeID
  /// The parent; ``NodeID/forestRoot`` for a root.
  public let parent: NodeID
  @usableFromInline let sequenceDepth: Int32
  /// The slice of ``SizedTree/keyBytes()`` with the key.
  public let key: ByteArena.Slice
  /// The slice of ``SizedTree/objectBytes()`` with the object; an empty slice stands for `null`.
  public let object: ByteArena.Slice

  init(_ node: NodeID, _ record: NodeRecord, depth: Int32) {
    self.node = node
    parent = record.parent
    sequenceDepth = depth
    key = record.key
    object = record.object
  }

  /// The depth; 0 for a root.
  @inlinable public var depth: Int { Int(sequenceDepth) - 1 }
}
