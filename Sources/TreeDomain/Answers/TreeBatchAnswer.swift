package import JSON

/// The effect of a batch or an import on a tree.
package struct TreeBatchAnswer: Equatable, Sendable {
  /// The id of the tree.
  package var tree: TreeID
  /// The tree's revision before.
  package var previousRevision: Revision
  /// The tree's revision after.
  ///
  /// Unchanged if nothing changed.
  package var revision: Revision
  /// The number of nodes in the tree after.
  package var nodeCount: Int
  /// The number of operations or lines that were applied.
  package var applied: Int
  /// True if this is a stored answer to a repeated request.
  package var wasReplayed = false
  /// The commit that the answer waits for.
  package var durability = Durability()

  /// Makes an answer.
  package init(
    tree: TreeID,
    previousRevision: Revision,
    revision: Revision,
    nodeCount: Int,
    applied: Int
  ) {
    self.tree = tree
    self.previousRevision = previousRevision
    self.revision = revision
    self.nodeCount = nodeCount
    self.applied = applied
  }

  /// Writes the answer as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("tree")
    writer.string(tree.bytes[...])
    writer.name("previousRevision")
    writer.integer(previousRevision.number)
    writer.name("revision")
    writer.integer(revision.number)
    writer.name("nodeCount")
    writer.integer(nodeCount)
    writer.name("applied")
    writer.integer(applied)
    writer.endObject()
  }
}
