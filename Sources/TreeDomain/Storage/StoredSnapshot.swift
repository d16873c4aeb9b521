/// A stored snapshot of a tree, which contains all changes up to an entry.
public struct StoredSnapshot: Equatable, Sendable {
  /// The number of the tree.
  public var tree: TreeNumber
  /// The number of the last entry in the snapshot.
  public var entry: Int
  /// The number of its parts.
  ///
  /// For an incomplete snapshot: the parts so far.
  public var parts: Int
  /// The tree's revision in the snapshot.
  public var revision: Int
  /// The number of nodes in the snapshot.
  public var nodeCount: Int

  /// Makes a snapshot.
  public init(tree: TreeNumber, entry: Int, parts: Int, revision: Int, nodeCount: Int) {
    self.tree = tree
    self.entry = entry
    self.parts = parts
    self.revision = revision
    self.nodeCount = nodeCount
  }
}
