public import JSON

/// What a session is and how much it shows.
public struct SessionDescription: Equatable, Sendable {
  /// The session.
  public var session: SessionID
  /// Its tree.
  public var tree: TreeID
  /// The session's revision.
  public var revision: Revision
  /// The tree's revision.
  public var treeRevision: Revision
  /// How many rows are visible.
  public var rowCount: Int
  /// How many nodes the tree has.
  public var nodeCount: Int
  /// The options it has now.
  public var options: SessionOptions

  /// Makes a description.
  public init(
    session: SessionID,
    tree: TreeID,
    revision: Revision,
    treeRevision: Revision,
    rowCount: Int,
    nodeCount: Int,
    options: SessionOptions
  ) {
    self.session = session
    self.tree = tree
    self.revision = revision
    self.treeRevision = treeRevision
    self.rowCount = rowCount
    self.nodeCount = nodeCount
    self.options = options
  }

  /// Writes the description as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("session")
    writer.string(session.bytes[...])
    writer.name("tree")
    writer.string(tree.bytes[...])
    writer.name("revision")
    writer.integer(revision.number)
    writer.name("treeRevision")
    writer.integer(treeRevision.number)
    writer.name("rowCount")
    writer.integer(rowCount)
    writer.name("nodeCount")
    writer.integer(nodeCount)
    writer.name("expansion")
    options.expansion.write(to: &writer)
    writer.name("nestedExpansion")
    writer.string(options.nestedExpansion.rawValue)
    writer.name("sort")
    options.sort.write(to: &writer)
    writer.endObject()
  }
}
