public import JSON

/// What a batch, or an import, did to a tree.
public struct TreeBatchAnswer: Equatable, Sendable {
  /// The tree.
  public var tree: TreeID
  /// The tree's revision before.
  public var previousRevision: Revision
  /// The tree's revision after; the same when nothing changed.
  public var revision: Revision
  /// How many nodes the tree has after.
  public var nodeCount: Int
  /// How many operations, or lines, were applied.
  public var applied: Int
  /// Whether the answer was given before, to the same request.
  public var wasReplayed = false
  /// What the answer waits for.
  public var durability = Durability()

  /// Makes an answer.
  public init(
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
  public func write(to writer: inout JSONWriter) {
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
