public import JSON

/// One node as a session sees it, read at one revision.
public struct NodeView: Equatable, Sendable {
  /// The session it was read from.
  public var session: SessionID
  /// The session's revision.
  public var revision: Revision
  /// The node.
  public var row: Row
  /// The members of the row that are written.
  public var fields: RowFields
  /// What the slices point into.
  public var arena: [UInt8]

  /// Makes a view of a node.
  public init(
    session: SessionID,
    revision: Revision,
    row: Row,
    fields: RowFields = .all,
    arena: [UInt8]
  ) {
    self.session = session
    self.revision = revision
    self.row = row
    self.fields = fields
    self.arena = arena
  }

  /// Writes the row's members, preceded by where and when they were read.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    row.writeMembers(to: &writer, from: arena, fields)
    writer.endObject()
  }
}
