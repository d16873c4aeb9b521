/// The answer to a request that deletes something.
public struct Ending: Equatable, Sendable {
  /// True if this is a stored answer to a repeated request.
  public var wasReplayed = false
  /// The commit that the answer waits for.
  public var durability: Durability

  /// Makes an answer.
  public init(wasReplayed: Bool = false, durability: Durability) {
    self.wasReplayed = wasReplayed
    self.durability = durability
  }
}
