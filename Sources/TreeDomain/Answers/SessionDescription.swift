package import JSON

/// The properties of a session and its counts.
package struct SessionDescription: Equatable, Sendable {
  /// The id of the session.
  package var session: SessionID
  /// The id of its tree.
  package var tree: TreeID
  /// The session's revision.
  package var revision: Revision
  /// The tree's revision.
  package var treeRevision: Revision
  /// The number of visible rows.
  package var rowCount: Int
  /// The number of nodes in the tree.
  package var nodeCount: Int
  /// The number of selected nodes.
  package var selectedCount: Int
  /// The names of the sections in order.
  ///
  /// Empty for a tree without sections.
  package var sections: [ByteSlice]
  /// The bytes that the slices refer to.
  package var arena: [UInt8]
  /// The present options.
  ///
  /// The sort order is that of the tree.
  package var options: SessionOptions
  /// The sealed secret, in the answer to the session's creation only.
  package var secret: SealedSecret?

  /// Makes a description.
  package init(
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
  ///   - writer: The output.
  ///   - secret: The secret that opens the session; `nil` to leave it out. Only the creator gets
  ///     it, and again if the creation is retried.
  package func write(to writer: inout JSONWriter, secret: SessionSecret? = nil) {
    writer.beginObject()
    writeMembers(to: &writer, secret: secret)
    writer.endObject()
  }

  /// Writes the description's members into an open object.
  ///
  /// - Parameters:
  ///   - writer: The output.
  ///   - secret: The secret that opens the session; `nil` to leave it out.
  ///   - previousRevision: The revision before a change; `nil` to leave it out.
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
  /// Writes all options as an object, as they are in a session's description.
  package func write(to writer: inout JSONWriter) {
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
