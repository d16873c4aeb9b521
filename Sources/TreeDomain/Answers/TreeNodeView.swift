public import JSON

/// One node of a tree, read at one revision.
public struct TreeNodeView: Equatable, Sendable {
  /// The tree it was read from.
  public var tree: TreeID
  /// The tree's revision.
  public var revision: Revision
  /// The node.
  public var node: TreeNode
  /// The members of the node that are written.
  public var fields: RowFields
  /// What the slices point into.
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

  /// Writes the node as a member of an object that says where and when it was read.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(tree, revision)
    writer.name("node")
    node.write(to: &writer, from: arena, fields)
    writer.endObject()
  }
}
