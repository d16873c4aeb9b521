/// In which order a session shows its rows.
public enum RowOrder: String, CaseIterable, Sendable {
  /// Each node directly followed by what is below it.
  case depthFirst
  /// Inside each section by depth, those of one depth in the order of the tree.
  case breadthFirst
}
