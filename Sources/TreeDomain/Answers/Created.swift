/// What was made, or was made before by the same request.
public struct Created<Description: Equatable & Sendable>: Equatable, Sendable {
  /// What it is.
  public var description: Description
  /// Whether the answer was given before, to the same request.
  public var wasReplayed: Bool
  /// What the answer waits for.
  public var durability = Durability()

  /// Makes the answer to a request that is new, if nothing else is said.
  public init(_ description: Description, wasReplayed: Bool = false) {
    self.description = description
    self.wasReplayed = wasReplayed
  }

  /// The same, told in another way.
  public func with<Other>(_ description: Other) -> Created<Other> {
    var other = Created<Other>(description, wasReplayed: wasReplayed)
    other.durability = durability
    return other
  }
}
