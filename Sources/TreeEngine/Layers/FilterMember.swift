/// A node that a filter lets through.
struct FilterMember: NodeTableValue {
  var isMatched = false
  /// How many of its children are members.
  var children: Int32 = 0
}

/// What a view's filter was, after another has been set.
struct FilterBefore: Sendable {
  /// Nil where there was no filter.
  var members: NodeTable<FilterMember>?

  /// Whether a node matched; nil without a filter.
  func isMatched(_ node: NodeID) -> Bool? { members.map { $0[node]?.isMatched ?? false } }
}
