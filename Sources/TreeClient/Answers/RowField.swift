/// A member of a row.
public enum RowField: String, Sendable, Codable, CaseIterable {
  /// The position among all rows.
  case index
  /// The key.
  case key
  /// The parent's key.
  case parent
  /// The number of ancestors.
  case depth
  /// The section.
  case section
  /// The position in the section.
  case sectionRow
  /// The position among the siblings.
  case position
  /// The number of siblings.
  case siblingCount
  /// The expansion.
  case expanded
  /// The state of the children.
  case childState
  /// The number of children.
  case childCount
  /// The number of rows below the node.
  case visibleDescendantCount
  /// The selection.
  case selected
  /// The outcome of the filter.
  case matched
  /// The object.
  case object
}

extension [RowField] {
  /// The names with commas between them.
  var joined: String { map(\.rawValue).joined(separator: ",") }
}
