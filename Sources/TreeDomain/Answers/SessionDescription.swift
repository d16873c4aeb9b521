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
  /// How many nodes are selected.
  public var selectedCount: Int
  /// The names of the sections, in order; none for a tree without.
  public var sections: [ByteSlice]
  /// What the slices point into.
  public var arena: [UInt8]
  /// The options it has now; the order of siblings is the tree's.
  public var options: SessionOptions
  /// What is known of its secret in the answer to whoever made it, and in no other.
  public var secret: SealedSecret?

  /// Makes a description.
  public init(
    session: SessionID,
    tree: TreeID,
    revision: Revision,
    treeRevision: Revision,
    rowCount: Int,
    nodeCount: Int,
    selectedCount: Int = 0,
    sections: [ByteSlice] = [],
    options: SessionOptions,
    arena: [UInt8] = []
  ) {
    self.session = session
    self.tree = tree
    self.revision = revision
    self.treeRevision = treeRevision
    self.rowCount = rowCount
    self.nodeCount = nodeCount
    self.selectedCount = selectedCount
    self.sections = sections
    self.options = options
    self.arena = arena
  }

  /// Writes the description as an object.
  ///
  /// - Parameters:
  ///   - writer: Where it goes.
  ///   - secret: What opens the session, which is told to whoever made it, and never again.
  public func write(to writer: inout JSONWriter, secret: SessionSecret? = nil) {
    writer.beginObject()
    writeMembers(to: &writer, secret: secret)
    writer.endObject()
  }

  /// Writes the description's members into an open object.
  ///
  /// - Parameters:
  ///   - writer: Where they go.
  ///   - secret: What opens the session, where that is told along.
  ///   - previousRevision: The revision before a change that is told along; `nil` for none.
  func writeMembers(
    to writer: inout JSONWriter,
    secret: SessionSecret? = nil,
    previousRevision: Revision? = nil
  ) {
    writer.name("session")
    writer.string(session.bytes[...])
    writer.name("tree")
    writer.string(tree.bytes[...])
    if let secret {
      writer.name("secret")
      writer.string(secret.text[...])
    }
    if let previousRevision {
      writer.name("previousRevision")
      writer.integer(previousRevision.number)
    }
    writer.name("revision")
    writer.integer(revision.number)
    writer.name("treeRevision")
    writer.integer(treeRevision.number)
    writer.name("rowCount")
    writer.integer(rowCount)
    writer.name("nodeCount")
    writer.integer(nodeCount)
    writer.name("selectedCount")
    writer.integer(selectedCount)
    writer.name("sections")
    writer.strings(sections, from: arena)
    options.writeAllMembers(to: &writer)
  }
}

extension SessionOptions {
  /// Writes all options as an object, as a description of a session has them.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeAllMembers(to: &writer)
    writer.endObject()
  }

  fileprivate func writeAllMembers(to writer: inout JSONWriter) {
    writer.name("access")
    writer.string(access.rawValue)
    writer.name("expansion")
    expansion.write(to: &writer)
    writeMembers(to: &writer)
    writer.name("sort")
    sort.write(to: &writer)
  }
}
