public import JSON

/// A run of visible rows, read at one revision.
public struct RowPage: Equatable, Sendable {
  /// The session it was read from.
  public var session: SessionID
  /// The session's revision.
  public var revision: Revision
  /// How many rows there are in all.
  public var rowCount: Int
  /// The index of the first row here.
  public var offset: Int
  /// The ancestors of the first row, the root first.
  public var ancestors: [Ancestor]
  /// The rows.
  public var rows: [Row]
  /// The members of rows that are written.
  public var fields: RowFields
  /// What the slices of rows and ancestors point into.
  public var arena: [UInt8]

  /// Makes a page.
  public init(
    session: SessionID,
    revision: Revision,
    rowCount: Int,
    offset: Int,
    ancestors: [Ancestor] = [],
    rows: [Row] = [],
    fields: RowFields = .all,
    arena: [UInt8] = []
  ) {
    self.session = session
    self.revision = revision
    self.rowCount = rowCount
    self.offset = offset
    self.ancestors = ancestors
    self.rows = rows
    self.fields = fields
    self.arena = arena
  }

  /// Writes the page as an object.
  public func write(to writer: inout JSONWriter) {
    writer.reserve(1_024 + arena.count + rows.count * Row.usualBytes)
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("rowCount")
    writer.integer(rowCount)
    writer.name("offset")
    writer.integer(offset)
    writer.name("ancestors")
    Ancestor.write(ancestors, to: &writer, from: arena)
    writer.name("rows")
    writer.beginArray()
    for row in rows {
      row.write(to: &writer, from: arena, fields)
    }
    writer.endArray()
    writer.endObject()
  }
}
