/// The data of a node that a filter shows: a match, an ancestor of one, or a node at the top level.
struct FilterMember: NodeTableValue {
  var isMatched = false
  /// The number of its children that are members.
  var children: Int32 = 0
}

/// The members of a view's former filter, kept until the end of the transaction that set another.
struct FilterBefore: Sendable {
  /// The members; nil if there was no filter.
  var members: NodeTable<FilterMember>?

  /// Returns true if a node matched the former filter; nil if there was none.
  func isMatched(_ node: NodeID) -> Bool? { members.map { $0[node]?.isMatched ?? false } }
}
