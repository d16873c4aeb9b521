/// How many nodes a session can have selected.
public enum SelectionMode: String, CaseIterable, Sendable {
  /// None.
  case none
  /// One at most: selecting another deselects it.
  case single
  /// Any number.
  case multiple
}
