public import JSON

/// The properties of a shared tree and its counts.
public struct TreeDescription: Equatable, Sendable {
  /// The id of the tree.
  public var tree: TreeID
  /// Its revision.
  public var revision: Revision
  /// The number of its nodes.
  public var nodeCount: Int
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  public var sections: [ByteSlice]
  /// The order of siblings.
  ///
  /// Empty for the order of arrival.
  public var sort: SortOrder
  /// The bytes that the slices refer to.
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
