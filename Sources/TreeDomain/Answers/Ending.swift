/// The answer to a request for something to end.
public struct Ending: Equatable, Sendable {
  /// Whether the answer was given before, to the same request.
  public var wasReplayed = false
  /// What the answer waits for.
  public var durability: Durability

  /// Makes the answer to a request that is new, if nothing else is said.
  public init(wasReplayed: Bool = false, durability: Durability) {
    self.wasReplayed = wasReplayed
    self.durability = durability
  }
}
