public import JSON

/// What a session is after its options were changed, and what that changed of its rows.
public struct PatchAnswer: Equatable, Sendable {
  /// The session after.
  public var description: SessionDescription
  /// The net difference of the rows; its text, where it has one, is that of the whole answer.
  public var list: BatchAnswer

  /// Makes an answer of two that were taken at one revision.
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
