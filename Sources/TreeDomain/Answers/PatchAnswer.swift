public import JSON

/// The session after a change of its options, with the changes of its rows.
public struct PatchAnswer: Equatable, Sendable {
  /// The session after the change.
  public var description: SessionDescription
  /// The net difference of the rows.
  ///
  /// Its ``BatchAnswer/text``, if any, is the whole answer, with the description of the session.
  public var list: BatchAnswer

  /// Makes an answer.
  ///
  /// Both parts must be read at the same revision.
  public init(_ description: SessionDescription, _ list: BatchAnswer) {
    self.description = description
    self.list = list
  }

  /// Writes the members of both as one object.
  public func write(to writer: inout JSONWriter) {
    if let text = list.text { return writer.raw(text[...]) }
    writer.beginObject()
    description.writeMembers(to: &writer, previousRevision: list.previousRevision)
    list.writeList(to: &writer)
    writer.endObject()
  }
}
