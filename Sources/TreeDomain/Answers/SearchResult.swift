public import JSON

/// The nodes a search found, read at one revision.
public struct SearchResult: Equatable, Sendable {
  /// The session it was read from.
  public var session: SessionID
  /// The session's revision.
  public var revision: Revision
  /// The nodes, in tree order; those that are hidden have no index.
  public var matches: [Row]
  /// The key behind which the search goes on; `nil` when there is certainly nothing more.
  public var next: ByteSlice?
  /// The members of rows that are written.
  public var fields: RowFields
  /// What the slices point into.
  public var arena: [UInt8]

  /// Makes a result.
  public init(
    session: SessionID,
    revision: Revision,
    matches: [Row] = [],
    next: ByteSlice? = nil,
    fields: RowFields = .all,
    arena: [UInt8] = []
  ) {
    self.session = session
    self.revision = revision
    self.matches = matches
    self.next = next
    self.fields = fields
    self.arena = arena
  }

  /// Writes the result as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("matches")
    writer.beginArray()
    for match in matches { match.write(to: &writer, from: arena, fields) }
    writer.endArray()
    writer.name("next")
    writer.string(orNull: next, from: arena)
    writer.endObject()
  }
}
