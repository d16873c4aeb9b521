package import JSON

/// The session after a change of its options, with the changes of its rows.
package struct PatchAnswer: Equatable, Sendable {
  /// The session after the change.
  package var description: SessionDescription
  /// The net difference of the rows.
  ///
  /// Its ``BatchAnswer/text``, if any, is the whole answer, with the description of the session.
  package var list: BatchAnswer

  /// Makes an answer.
  ///
  /// Both parts must be read at the same revision.
  package init(_ description: SessionDescription, _ list: BatchAnswer) {
    self.description = description
    self.list = list
  }

  /// Writes the members of both as one object.
  package func write(to writer: inout JSONWriter) {
    if let text = list.text { return writer.raw(text[...]) }
    writer.beginObject()
    description.writeMembers(to: &writer, previousRevision: list.previousRevision)
    list.writeList(to: &writer)
    writer.endObject()
  }
}
