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
