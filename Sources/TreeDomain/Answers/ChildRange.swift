package import JSON

/// A run of a node's children, or of the roots, read at one revision.
package struct ChildRange: Equatable, Sendable {
  /// The session it was read from.
  package var session: SessionID
  /// The session's revision.
  package var revision: Revision
  /// The parent's key; `nil` for the roots.
  package var parent: [UInt8]?
  /// The number of all children; `nil` if unknown.
  package var childCount: Int?
  /// The position of the first child in this range.
  package var offset: Int
  /// The children.
  ///
  /// A hidden child has no index.
  package var nodes: WrittenRows

  /// Makes a range.
  package init(
    session: SessionID,
    revision: Revision,
    parent: [UInt8]?,
    childCount: Int?,
    offset: Int,
    nodes: WrittenRows = WrittenRows()
  ) {
    self.session = session
    self.revision = revision
    self.parent = parent
    self.childCount = childCount
    self.offset = offset
    self.nodes = nodes
  }

  /// Writes the range as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("parent")
    writer.string(orNull: parent)
    writer.name("childCount")
    writer.integer(orNull: childCount)
    writer.name("offset")
    writer.integer(offset)
    writer.name("nodes")
    nodes.write(to: &writer)
    writer.endObject()
  }
}
