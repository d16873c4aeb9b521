/// The tree and the caller whose shares of the workers a job uses.
public struct WorkOwner: Hashable, Sendable {
  /// The number of a tree; `nil` for none.
  public var tree: Int?
  /// The name of a caller; `nil` for one without.
  public var caller: String?

  /// True if no other such job of the tree may have begun; false for a job of no tree.
  public var isExclusive: Bool

  /// Makes an owner.
  public init(tree: Int? = nil, caller: String? = nil, isExclusive: Bool = true) {
    self.tree = tree
    self.caller = caller
    self.isExclusive = isExclusive && tree != nil
  }
}
