package import JSON

/// A node of a tree, read at one revision.
package struct TreeNodeView: Equatable, Sendable {
  /// The tree it was read from.
  package var tree: TreeID
  /// The tree's revision.
  package var revision: Revision
  /// The node.
  package var node: TreeNode
  /// The members to write of the node.
  package var fields: RowFields
  /// The bytes that the slices refer to.
  package var arena: [UInt8]

  /// Makes a view of a node.
  package init(
    tree: TreeID,
    revision: Revision,
    node: TreeNode,
    fields: RowFields = .all,
    arena: [UInt8]
  ) {
    self.tree = tree
    self.revision = revision
    self.node = node
    self.fields = fields
    self.arena = arena
  }

  /// Writes the node as the member `node` of an object with its tree and revision.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(tree, revision)
    writer.name("node")
    node.write(to: &writer, from: arena, fields)
    writer.endObject()
  }
}
