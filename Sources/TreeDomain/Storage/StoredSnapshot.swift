/// A snapshot of a tree: everything up to an entry.
public struct StoredSnapshot: Equatable, Sendable {
  /// The tree.
  public var tree: TreeNumber
  /// The number of the last entry that is in it.
  public var entry: Int
  /// How many parts it has; of one that is not whole yet, how many so far.
  public var parts: Int
  /// The tree's revision then.
  public var revision: Int
  /// How many nodes the tree had then.
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
