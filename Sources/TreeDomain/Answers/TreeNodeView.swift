public import JSON

/// A node of a tree, read at one revision.
public struct TreeNodeView: Equatable, Sendable {
  /// The tree it was read from.
  public var tree: TreeID
  /// The tree's revision.
  public var revision: Revision
  /// The node.
  public var node: TreeNode
  /// The members to write of the node.
  public var fields: RowFields
  /// The bytes that the slices refer to.
  public var arena: [UInt8]

  /// Makes a view of a node.
  public init(
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
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(tree, revision)
    writer.name("node")
    node.write(to: &writer, from: arena, fields)
    writer.endObject()
  }
}
