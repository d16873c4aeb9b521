public import TreeEngine

/// A node to be inserted.
///
/// Nested nodes are given as a flat list in pre-order: the children of a node are the nodes after
/// it that are one deeper, up to the first that is not deeper than itself.
public struct NewNode: Equatable, Sendable {
  /// The key, 1 to ``DecodingLimits/maxKeyBytes`` bytes of UTF-8.
  public var key: ByteSlice
  /// The object as raw JSON, `null` when none was given.
  public var object: ByteSlice
  /// The depth below the first node of its list, which has 0.
  public var depth: Int
  /// What is known about its children: leaf, unloaded or loaded.
  public var childState: ChildState

  /// Makes a node.
  public init(key: ByteSlice, object: ByteSlice, depth: Int, childState: ChildState) {
    self.key = key
    self.object = object
    self.depth = depth
    self.childState = childState
  }
}
