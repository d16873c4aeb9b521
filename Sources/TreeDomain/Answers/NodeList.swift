package import JSON

/// Nodes as a session sees them, read by their keys at one revision.
package struct NodeList: Equatable, Sendable {
  /// The session they were read from.
  package var session: SessionID
  /// The session's revision.
  package var revision: Revision
  /// The rows of the nodes that exist.
  package var rows: WrittenRows
  /// The index of each requested node in ``rows``, in the order of the request; `nil` if missing.
  package var places: [Int?]

  /// Makes a list.
  package init(session: SessionID, revision: Revision, rows: WrittenRows, places: [Int?]) {
    self.session = session
    self.revision = revision
    self.rows = rows
    self.places = places
  }

  /// Writes the list as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("nodes")
    writer.beginArray()
    for place in places {
      if let place { writer.raw(rows[place..<(place + 1)]) } else { writer.null() }
    }
    writer.endArray()
    writer.endObject()
  }
}
