package import JSON

/// A page of visible rows, read at one revision.
///
/// The content of rows is in the tree, which may have changed when the page is sent. So the page is
/// written while the tree is being read.
package struct RowPage: Equatable, Sendable {
  /// The session's revision.
  package let revision: Revision
  /// The page as a JSON object.
  ///
  /// Empty if the client already has it.
  package let text: [UInt8]

  /// Makes a page that the client already has.
  package init(heldAt revision: Revision) {
    self.revision = revision
    text = []
  }

  /// The changes of rows that are included with a page.
  package enum Changes: Equatable, Sendable {
    /// No changes were requested.
    case unasked
    /// The history does not reach back to the requested revision.
    case forgotten
    /// The net change since the requested revision.
    case list(BatchAnswer)
  }

  /// Writes a page.
  ///
  /// - Parameters:
  ///   - session: The session it is read from.
  ///   - revision: The session's revision.
  ///   - rowCount: The number of all visible rows.
  ///   - offset: The index of the first row of the page.
  ///   - changes: The changes to include.
  ///   - room: The approximate size of ancestors and rows, in bytes.
  ///   - ancestors: Writes the ancestors of the first row, the root first.
  ///   - rows: Writes the rows.
  /// - Throws: The errors of `rows`.
  package init<Failure: Error>(
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
