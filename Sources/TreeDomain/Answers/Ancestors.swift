package import JSON

/// The ancestors of a node, from the root to its parent, read at one revision.
package struct Ancestors: Equatable, Sendable {
  /// The session it was read from.
  package var session: SessionID
  /// The session's revision.
  package var revision: Revision
  /// The nodes as a JSON array of objects, the parent last.
  ///
  /// The first is the root, unless there are too many. Empty for a root.
  package var ancestors: [UInt8]

  /// Makes an answer.
  package init(session: SessionID, revision: Revision, ancestors: [UInt8]) {
    self.session = session
    self.revision = revision
    self.ancestors = ancestors
  }

  /// Writes the answer as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("ancestors")
    writer.raw(ancestors[...])
    writer.endObject()
  }
}
