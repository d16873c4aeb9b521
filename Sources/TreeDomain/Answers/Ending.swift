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
