/// What a view showed of a node, to be compared with what it shows.
struct ShownBefore {
  var isObjectChanged: Bool
  var childState: ChildState
  var childCount: Int32?
  var isExpanded: Bool
  var isSelected: Bool
  /// Nil without a filter.
  var isMatched: Bool?
}
