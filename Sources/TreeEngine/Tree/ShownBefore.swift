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
