/// One step of a batch; its slices are in the batch's ``Batch/bytes``.
public enum Operation: Equatable, Sendable {
  /// What an update does to a node's object.
  public enum ObjectChange: Equatable, Sendable {
    /// Puts another value, raw JSON, in its place.
    case replace(ByteSlice)
    /// Applies a merge patch (RFC 7396).
    case merge(ByteSlice)
  }

  /// Inserts a node with everything below it; `nodes` is a range of ``Batch/nodes``.
  case insert(nodes: Range<Int>, parent: ByteSlice?, place: Place)
  /// Inserts a node or, where the key exists, replaces its object, and moves it when `parent` or
  /// `place` say something. `givesChildren` tells that the request has a `children` member, which
  /// only an insert can take.
  case put(nodes: Range<Int>, parent: ParentReference, place: Place, givesChildren: Bool)
  /// Changes a node's object.
  case update(key: ByteSlice, ObjectChange)
  /// Removes a node and everything below it.
  case remove(key: ByteSlice)
  /// Moves nodes, keeping the order they are given in; no key comes twice.
  case move(keys: [ByteSlice], parent: ByteSlice?, place: Place)
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
  /// Expands every ancestor of the nodes.
  case reveal(keys: [ByteSlice])
}
