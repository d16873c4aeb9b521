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

/// The answer to a request that creates something.
package struct Created<Description: Equatable & Sendable>: Equatable, Sendable {
  /// The description of the created object.
  package var description: Description
  /// True if this is a stored answer to a repeated request.
  package var wasReplayed: Bool
  /// The commit that the answer waits for.
  package var durability = Durability()

  /// Makes an answer.
  package init(_ description: Description, wasReplayed: Bool = false) {
    self.description = description
    self.wasReplayed = wasReplayed
  }

  /// Returns the same answer with another description.
  package func with<Other>(_ description: Other) -> Created<Other> {
    var other = Created<Other>(description, wasReplayed: wasReplayed)
    other.durability = durability
    return other
  }
}

/// The answer to a request that deletes something.
package struct Ending: Equatable, Sendable {
  /// True if this is a stored answer to a repeated request.
  package var wasReplayed = false
  /// The commit that the answer waits for.
  package var durability: Durability

  /// Makes an answer.
  package init(wasReplayed: Bool = false, durability: Durability) {
    self.wasReplayed = wasReplayed
    self.durability = durability
  }
}
