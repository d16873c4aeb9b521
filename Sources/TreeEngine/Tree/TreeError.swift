/// What a mutation can be refused for.
///
/// Nothing has changed then.
public enum TreeError: Error, Equatable, Sendable {
  /// The key of the `offset`-th node given is in the tree already, or twice among those given.
  case duplicateKey(offset: Int)
  /// The node would come to stand below itself.
  case cycle
  /// The parent has only so many children to stand among.
  case indexOutOfRange(childCount: Int)
  /// A node would stand deeper than allowed.
  case depthLimit(Int)
}
