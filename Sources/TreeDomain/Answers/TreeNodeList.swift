public import JSON

/// Nodes of a tree, read by their keys at one revision.
public struct TreeNodeList: Equatable, Sendable {
  /// The tree they were read from.
  public var tree: TreeID
  /// The tree's revision.
  public var revision: Revision
  /// The nodes in the order of the request; `nil` for a missing node.
  public var nodes: [TreeNode?]
  /// The members to write of each node.
  public var fields: RowFields
  /// The bytes that the slices refer to.
  public var arena: [UInt8]

  /// Makes a list.
  public init(
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
  public func write(to writer: inout JSONWriter) {
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
