package import JSON

/// The properties of a shared tree and its counts.
package struct TreeDescription: Equatable, Sendable {
  /// The id of the tree.
  package var tree: TreeID
  /// Its revision.
  package var revision: Revision
  /// The number of its nodes.
  package var nodeCount: Int
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  package var sections: [ByteSlice]
  /// The order of siblings.
  ///
  /// Empty for the order of arrival.
  package var sort: SortOrder
  /// The bytes that the slices refer to.
  package var arena: [UInt8]

  /// Makes a description.
  package init(
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
  package func write(to writer: inout JSONWriter) {
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
