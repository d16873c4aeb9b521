public import JSON

/// What a shared tree is and how much it holds.
public struct TreeDescription: Equatable, Sendable {
  /// The tree.
  public var tree: TreeID
  /// Its revision.
  public var revision: Revision
  /// How many nodes it has.
  public var nodeCount: Int
  /// The names of the sections, in order; none for a tree without.
  public var sections: [ByteSlice]
  /// The order of siblings; empty for arrival order.
  public var sort: SortOrder
  /// What the slices point into.
  public var arena: [UInt8]

  /// Makes a description.
  public init(
    tree: TreeID,
    revision: Revision,
    nodeCount: Int,
    sections: [ByteSlice] = [],
    sort: SortOrder = SortOrder([]),
    arena: [UInt8] = []
  ) {
    self.tree = tree
    self.revision = revision
    self.nodeCount = nodeCount
    self.sections = sections
    self.sort = sort
    self.arena = arena
  }

  /// Writes the description as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(tree, revision)
    writer.name("nodeCount")
    writer.integer(nodeCount)
    writer.name("sections")
    writer.strings(sections, from: arena)
    writer.name("sort")
    sort.write(to: &writer)
    writer.endObject()
  }
}
