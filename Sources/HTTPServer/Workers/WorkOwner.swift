/// The tree and the caller to which a job's time is charged.
package struct WorkOwner: Hashable, Sendable {
  /// The number of the tree; `nil` for none.
  package var tree: Int?
  /// The name of the caller; `nil` for an anonymous one.
  package var caller: String?

  /// True if only one such job of the tree may have begun at a time; false without a tree.
  package var isExclusive: Bool

  /// Creates an owner.
  package init(tree: Int? = nil, caller: String? = nil, isExclusive: Bool = true) {
    self.tree = tree
    self.caller = caller
    self.isExclusive = isExclusive && tree != nil
  }
}
