/// A stored snapshot of a tree, which contains all changes up to an entry.
package struct StoredSnapshot: Equatable, Sendable {
  /// The number of the tree.
  package var tree: TreeNumber
  /// The number of the last entry in the snapshot.
  package var entry: Int
  /// The number of its parts.
  ///
  /// For an incomplete snapshot: the parts so far.
  package var parts: Int
  /// The tree's revision in the snapshot.
  package var revision: Int
  /// The number of nodes in the snapshot.
  package var nodeCount: Int

  /// Makes a snapshot.
  package init(tree: TreeNumber, entry: Int, parts: Int, revision: Int, nodeCount: Int) {
    self.tree = tree
    self.entry = entry
    self.parts = parts
    self.revision = revision
    self.nodeCount = nodeCount
  }
}
