/// The state of a row at an earlier revision, to be compared with the current one.
struct ShownBefore {
  var isObjectChanged: Bool
  var childState: ChildState
  var childCount: Int32?
  var isExpanded: Bool
  var isSelected: Bool
  /// True if the node matched; nil without a filter.
  var isMatched: Bool?
}
