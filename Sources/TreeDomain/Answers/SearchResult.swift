package import JSON

/// The nodes a search found, read at one revision.
package struct SearchResult: Equatable, Sendable {
  /// The session it was read from.
  package var session: SessionID
  /// The session's revision.
  package var revision: Revision
  /// The nodes in pre-order, with siblings in the session's order.
  ///
  /// A hidden node has no index.
  package var matches: WrittenRows
  /// The key after which the search continues; `nil` if there are no more matches.
  package var next: [UInt8]?
  /// The number of all matches in the tree, whatever the start of the search; `nil` if not
  /// requested.
  package var total: Int?

  /// Makes a result.
  package init(
    session: SessionID,
    revision: Revision,
    matches: WrittenRows = WrittenRows(),
    next: [UInt8]? = nil,
    total: Int? = nil
  ) {
    self.session = session
    self.revision = revision
    self.matches = matches
    self.next = next
    self.total = total
  }

  /// Writes the result as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.origin(session, revision)
    writer.name("matches")
    matches.write(to: &writer)
    writer.name("next")
    writer.string(orNull: next)
    if let total {
      writer.name("total")
      writer.integer(total)
    }
    writer.endObject()
  }
}
