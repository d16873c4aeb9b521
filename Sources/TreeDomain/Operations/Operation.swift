public import TreeEngine

/// An operation of a batch.
///
/// Its slices refer to ``Batch/bytes``.
///
/// Lists are stored in the batch, so that an operation is copied and freed without reference
/// counting.
public enum Operation: Equatable, Sendable {
  /// The change of a node's object.
  public enum ObjectChange: Equatable, Sendable {
    /// Replaces the object by raw JSON.
    case replace(ByteSlice)
    /// Applies a merge patch (RFC 7396).
    case merge(ByteSlice)
  }

  /// Inserts a node with its subtree. `nodes` is a range of ``Batch/nodes``.
  case insert(nodes: PackedRange, parent: ByteSlice?, section: ByteSlice?, place: Place)
  /// Inserts a node, or replaces the object of an existing one.
  ///
  /// An existing node is moved if `parent`, `section` or `place` is given. `givesChildren` is true
  /// if the request has `children`, which only an insertion accepts.
  case put(
    nodes: PackedRange,
    parent: ParentReference,
    section: ByteSlice?,
    place: Place,
    givesChildren: Bool
  )
  /// Changes a node's object.
  case update(key: ByteSlice, ObjectChange)
  /// Removes a node and its subtree.
  case remove(key: ByteSlice)
  /// Removes several nodes and their subtrees. `keys` is a range of ``Batch/keys`` without
  /// duplicates.
  case removeAll(keys: PackedRange)
  /// Moves nodes and keeps their order. `keys` is a range of ``Batch/keys`` without duplicates.
  case move(keys: PackedRange, parent: ByteSlice?, section: ByteSlice?, place: Place)
  /// Sets the children of a node, or the roots, as a difference by keys.
  case setChildren(of: ChildrenTarget, NewChildren)
  /// Sorts existing siblings, stably. `by` is an index in ``Batch/orders``.
  case sort(SortTarget, by: Int)

  /// Inserts a section, by default as the last one.
  case insertSection(ByteSlice, index: Int?)
  /// Removes a section and all its roots.
  case removeSection(ByteSlice)
  /// Moves a section. The index counts after its removal.
  case moveSection(ByteSlice, index: Int)
  /// Renames a section.
  case renameSection(ByteSlice, to: ByteSlice)

  /// Expands a node.
  case expand(key: ByteSlice, Levels)
  /// Collapses a node.
  case collapse(key: ByteSlice, Levels)
  /// Collapses an expanded node, or expands a collapsed one.
  case toggle(key: ByteSlice, Levels)
  /// Expands all nodes, and sets this rule for nodes that come later.
  case expandAll
  /// Collapses all nodes, and sets this rule for nodes that come later.
  case collapseAll
  /// Expands all ancestors of nodes, and selects the nodes if `selects` is true.
  ///
  /// `keys` is a range of ``Batch/keys``.
  case reveal(keys: PackedRange, selects: Bool)
  /// Adds nodes to the selection.
  case select(SelectionTarget)
  /// Removes nodes from the selection.
  case deselect(SelectionTarget)
  /// Removes all nodes from the selection.
  case clearSelection
  /// Shows the roots of a section.
  case expandSection(ByteSlice)
  /// Hides the roots of a section.
  case collapseSection(ByteSlice)

  /// True if the operation only removes nodes.
  var removes: Bool {
    switch self {
    case .remove, .removeAll, .removeSection: true
    default: false
    }
  }

  /// True if the operation changes the data of the tree, false if it changes a session's view.
  public var changesData: Bool {
    switch self {
    case .insert, .put, .update, .remove, .removeAll, .move, .setChildren, .sort: true
    case .insertSection, .removeSection, .moveSection, .renameSection: true
    case .expand, .collapse, .toggle, .expandAll, .collapseAll, .reveal: false
    case .select, .deselect, .clearSelection, .expandSection, .collapseSection: false
    }
  }
}
