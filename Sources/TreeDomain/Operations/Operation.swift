public import TreeEngine

/// One step of a batch; its slices are in the batch's ``Batch/bytes``.
///
/// Lists stand in the batch beside it, so that an operation is copied and let go without a look at
/// what it is.
public enum Operation: Equatable, Sendable {
  /// What an update does to a node's object.
  public enum ObjectChange: Equatable, Sendable {
    /// Puts another value, raw JSON, in its place.
    case replace(ByteSlice)
    /// Applies a merge patch (RFC 7396).
    case merge(ByteSlice)
  }

  /// Inserts a node with everything below it; `nodes` is a range of ``Batch/nodes``.
  case insert(nodes: PackedRange, parent: ByteSlice?, section: ByteSlice?, place: Place)
  /// Inserts a node or, where the key exists, replaces its object, and moves it when `parent`,
  /// `section` or `place` say something. `givesChildren` tells that the request has a `children`
  /// member, which only an insert can take.
  case put(
    nodes: PackedRange,
    parent: ParentReference,
    section: ByteSlice?,
    place: Place,
    givesChildren: Bool
  )
  /// Changes a node's object.
  case update(key: ByteSlice, ObjectChange)
  /// Removes a node and everything below it.
  case remove(key: ByteSlice)
  /// Removes a selection of nodes and everything below them; `keys` is a range of ``Batch/keys``,
  /// and none comes twice.
  case removeAll(keys: PackedRange)
  /// Moves nodes, keeping the order they are given in; `keys` is a range of ``Batch/keys``, and
  /// none comes twice.
  case move(keys: PackedRange, parent: ByteSlice?, section: ByteSlice?, place: Place)
  /// Makes the children of a node, or the roots, those that are given, as a keyed difference.
  case setChildren(of: ChildrenTarget, NewChildren)
  /// Sorts siblings that are there, equal ones as they are, by an order of ``Batch/orders``.
  case sort(SortTarget, by: Int)

  /// Makes a section, the last one where no index is given.
  case insertSection(ByteSlice, index: Int?)
  /// Removes a section with all its roots.
  case removeSection(ByteSlice)
  /// Moves a section; the index counts after it was taken out.
  case moveSection(ByteSlice, index: Int)
  /// Gives a section another name.
  case renameSection(ByteSlice, to: ByteSlice)

  /// Expands a node.
  case expand(key: ByteSlice, Levels)
  /// Collapses a node.
  case collapse(key: ByteSlice, Levels)
  /// Collapses a node that is expanded, expands one that is not.
  case toggle(key: ByteSlice, Levels)
  /// Expands everything, and makes that the rule for nodes that come later.
  case expandAll
  /// Collapses everything, and makes that the rule for nodes that come later.
  case collapseAll
  /// Expands every ancestor of the nodes, a range of ``Batch/keys``, and selects them if `selects`
  /// says so.
  case reveal(keys: PackedRange, selects: Bool)
  /// Selects nodes.
  case select(SelectionTarget)
  /// Takes nodes out of the selection.
  case deselect(SelectionTarget)
  /// Takes all nodes out of the selection.
  case clearSelection
  /// Shows the roots of a section.
  case expandSection(ByteSlice)
  /// Hides the roots of a section.
  case collapseSection(ByteSlice)

  /// Whether all it does is to take nodes away.
  var removes: Bool {
    switch self {
    case .remove, .removeAll, .removeSection: true
    default: false
    }
  }

  /// True if it changes the data of the tree, false if it changes the view of one session.
  public var changesData: Bool {
    switch self {
    case .insert, .put, .update, .remove, .removeAll, .move, .setChildren, .sort: true
    case .insertSection, .removeSection, .moveSection, .renameSection: true
    case .expand, .collapse, .toggle, .expandAll, .collapseAll, .reveal: false
    case .select, .deselect, .clearSelection, .expandSection, .collapseSection: false
    }
  }
}
