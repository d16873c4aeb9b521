package import JSON

/// A run of a node's children, or of the roots, read from a tree at one revision.
package struct TreeChildRange: Equatable, Sendable {
  /// The tree it was read from.
  package var tree: TreeID
  /// The tree's revision.
  package var revision: Revision
  /// The parent's key; `nil` for the roots.
  package var parent: ByteSlice?
  /// The number of all children; `nil` if unknown.
  package var childCount: Int?
  /// The position of the first child in this range.
  package var offset: Int
  /// The children.
  package var nodes: [TreeNode]
  /// The members to write of each node.
  package var fields: RowFields
  /// The bytes that the slices refer to.
  package var arena: [UInt8]

  /// Makes a range.
  package init(
    tree: TreeID,
    revision: Revision,
    parent: ByteSlice?,
    childCount: Int?,
    offset: Int,
    nodes: [TreeNode] = [],
    fields: RowFields = .all,
    arena: [UInt8] = []
  ) {
    self.tree = tree
    self.revision = revision
    self.parent = parent
    self.childCount = childCount
    self.offset = offset
    self.nodes = nodes
    self.fields = fields
    self.arena = arena
  }

  /// Writes the range as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(tree, revision)
    writer.name("parent")
    writer.string(orNull: parent, from: arena)
    writer.name("childCount")
    writer.integer(orNull: childCount)
    writer.name("offset")
    writer.integer(offset)
    writer.name("nodes")
    writer.beginArray()
    for node in nodes { node.write(to: &writer, from: arena, fields) }
    writer.endArray()
    writer.endObject()
  }
}
