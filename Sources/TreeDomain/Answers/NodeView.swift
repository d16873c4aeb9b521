package import JSON

/// A node as a session sees it, read at one revision.
package struct NodeView: Equatable, Sendable {
  /// The session it was read from.
  package var session: SessionID
  /// The session's revision.
  package var revision: Revision
  /// The node as a single row.
  package var row: WrittenRows

  /// Makes a view of a node.
  package init(
    session: SessionID,
    revision: Revision,
    row: WrittenRows
  ) {
    self.session = session
    self.revision = revision
    self.row = row
  }

  /// Writes the members of the row, preceded by the session and its revision.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.members(of: row.text[...])
    writer.endObject()
  }
}
