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
  public var rows: WrittenRows
  /// What the slices of ancestors point into.
  public var arena: [UInt8]

  /// Makes a page.
  public init(
    session: SessionID,
    revision: Revision,
    rowCount: Int,
    offset: Int,
    ancestors: [Ancestor] = [],
    rows: WrittenRows = WrittenRows(),
    arena: [UInt8] = []
  ) {
    self.session = session
    self.revision = revision
    self.rowCount = rowCount
    self.offset = offset
    self.ancestors = ancestors
    self.rows = rows
    self.arena = arena
  }

  /// Writes the page as an object.
  public func write(to writer: inout JSONWriter) {
    writer.reserve(512 + 2 * arena.count + 64 * ancestors.count + rows.text.count)
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("rowCount")
    writer.integer(rowCount)
    writer.name("offset")
    writer.integer(offset)
    writer.name("ancestors")
    Ancestor.write(ancestors, to: &writer, from: arena)
    writer.name("rows")
    rows.write(to: &writer)
    writer.endObject()
  }
}
