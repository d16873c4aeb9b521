/// The data of a node before the transaction touched it.
struct NodeReading: Equatable, Sendable {
  var object: ByteArena.Slice
  var childState: ChildState
  var childCount: Int32
  /// The number of children to report while they are not loaded; nil if unknown.
  var hint: Int32?

  /// Reads the present data of a node.
  @inline(__always)
  init<Width>(of node: NodeID, in forest: borrowing Forest<Width>) {
    object = forest[node].object
    childState = forest[node].childState
    childCount = forest[node].childCount
    hint = forest.hints[node]
  }

  /// The number of children that a row shows; nil if unknown.
  var shownChildCount: Int32? { childState.shownCount(childCount, hint: hint) }
}

/// The state of a row before a transaction or at an earlier commit, for comparison.
struct ShownBefore {
  var isObjectChanged: Bool
  var childState: ChildState
  var childCount: Int32?
  var isExpanded: Bool
  var isSelected: Bool
  /// True if the node matched; nil without a filter.
  var isMatched: Bool?
}
