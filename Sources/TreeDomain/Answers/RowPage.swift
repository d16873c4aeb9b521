public import JSON

/// A run of visible rows, read at one revision.
///
/// What rows say lies in the tree. An answer outlives the hold on it, and so the page is written
/// while the tree is held, once: these bytes are what is sent.
public struct RowPage: Equatable, Sendable {
  /// The session's revision.
  public let revision: Revision
  /// The page as an object; empty where the client has it already.
  public let text: [UInt8]

  /// A page that the client has already.
  public init(heldAt revision: Revision) {
    self.revision = revision
    text = []
  }

  /// The changes of rows that come along with a page.
  public enum Changes: Equatable, Sendable {
    /// They were not asked for.
    case unasked
    /// The history does not go back to the revision that was named.
    case forgotten
    /// The net change since that revision.
    case list(BatchAnswer)
  }

  /// Writes a page.
  ///
  /// - Parameters:
  ///   - session: The session it is read from.
  ///   - revision: The session's revision.
  ///   - rowCount: How many rows there are in all.
  ///   - offset: The index of the first row here.
  ///   - changes: The changes that come along with it.
  ///   - room: About how many bytes ancestors and rows take.
  ///   - ancestors: Writes the ancestors of the first row, the root first.
  ///   - rows: Writes the rows.
  /// - Throws: What writing the rows does.
  public init<Failure: Error>(
    of session: SessionID,
    at revision: Revision,
    rowCount: Int,
    offset: Int,
    changes: Changes = .unasked,
    room: Int,
    ancestors: (inout JSONWriter) -> Void,
    rows: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    writer.reserve(256 + room)
    writer.beginObject()
    writer.name("session")
    writer.value(roomFor: 160) { out in
      session.put(to: &out)
      out.put(#","revision":"#, Int(revision.number))
      out.put(#","rowCount":"#, rowCount)
      out.put(#","offset":"#, offset)
    }
    writer.name("ancestors")
    writer.beginArray()
    ancestors(&writer)
    writer.endArray()
    writer.name("rows")
    writer.beginArray()
    try rows(&writer)
    writer.endArray()
    switch changes {
    case .unasked: break
    case .forgotten:
      writer.name("changes")
      writer.null()
    case .list(let list):
      writer.name("changes")
      list.write(to: &writer)
    }
    writer.endObject()
    self.revision = revision
    text = writer.finish()
  }
}
