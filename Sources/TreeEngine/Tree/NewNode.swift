/// A node to be inserted, its strings given as ranges of a byte array beside it.
public struct NewNode: Equatable, Sendable {
  /// The key's bytes.
  public var key: Range<Int>
  /// The object's bytes; an empty range stands for `null`.
  public var object: Range<Int>
  /// Depth below the first node of the list, whose own is 0.
  ///
  /// At most one more than the depth of the node before.
  public var depth: Int
  /// What is known about its children.
  public var childState: ChildState
  /// How many children it is said to have, while nobody supplied them.
  public var hint: Int32?

  /// Creates a description of a node.
  public init(
    key: Range<Int>,
    object: Range<Int>,
    depth: Int,
    childState: ChildState,
    hint: Int32? = nil
  ) {
    self.key = key
    self.object = object
    self.depth = depth
    self.childState = childState
    self.hint = hint
  }
}
