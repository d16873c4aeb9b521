package import JSON

/// Nodes of a tree, read by their keys at one revision.
package struct TreeNodeList: Equatable, Sendable {
  /// The tree they were read from.
  package var tree: TreeID
  /// The tree's revision.
  package var revision: Revision
  /// The nodes in the order of the request; `nil` for a missing node.
  package var nodes: [TreeNode?]
  /// The members to write of each node.
  package var fields: RowFields
  /// The bytes that the slices refer to.
  package var arena: [UInt8]

  /// Makes a list.
  package init(
    tree: TreeID,
    revision: Revision,
    nodes: [TreeNode?],
    fields: RowFields = .all,
    arena: [UInt8]
  ) {
    self.tree = tree
    self.revision = revision
    self.nodes = nodes
    self.fields = fields
    self.arena = arena
  }

  /// Writes the list as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(tree, revision)
    writer.name("nodes")
    writer.beginArray()
    for node in nodes {
      if let node { node.write(to: &writer, from: arena, fields) } else { writer.null() }
    }
    writer.endArray()
    writer.endObject()
  }
}
