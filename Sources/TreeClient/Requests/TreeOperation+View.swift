// Operations that change the view of a session.
extension TreeOperation {
  /// Expands a node.
  public static func expand(_ key: String, levels: Levels? = nil) -> TreeOperation {
    TreeOperation("expand", ["key": .string(key), "levels": levels?.json])
  }

  /// Collapses a node.
  ///
  /// With all levels, also collapses everything below it.
  public static func collapse(_ key: String, levels: Levels? = nil) -> TreeOperation {
    TreeOperation("collapse", ["key": .string(key), "levels": levels?.json])
  }

  /// Expands a collapsed node, or collapses an expanded one.
  public static func toggle(_ key: String, levels: Levels? = nil) -> TreeOperation {
    TreeOperation("toggle", ["key": .string(key), "levels": levels?.json])
  }

  /// Expands every node, including those inserted later.
  public static var expandAll: TreeOperation { TreeOperation("expandAll", [:]) }

  /// Collapses every node, including those inserted later.
  public static var collapseAll: TreeOperation { TreeOperation("collapseAll", [:]) }

  /// Expands every ancestor of nodes, and selects the nodes if asked to.
  public static func reveal(_ keys: [String], selecting: Bool = false) -> TreeOperation {
    TreeOperation("reveal", ["keys": .strings(keys), "select": selecting ? true : nil])
  }

  /// Expands every ancestor of a node, and selects it if asked to.
  public static func reveal(_ key: String, selecting: Bool = false) -> TreeOperation {
    reveal([key], selecting: selecting)
  }

  /// Selects nodes.
  public static func select(_ nodes: Nodes) -> TreeOperation {
    TreeOperation("select", nodes.members)
  }

  /// Removes nodes from the selection.
  public static func deselect(_ nodes: Nodes) -> TreeOperation {
    TreeOperation("deselect", nodes.members)
  }

  /// Removes all nodes from the selection.
  public static var clearSelection: TreeOperation { TreeOperation("clearSelection", [:]) }

  /// Shows the roots of a section.
  public static func expandSection(_ section: String) -> TreeOperation {
    TreeOperation("expandSection", ["section": .string(section)])
  }

  /// Hides the roots of a section.
  public static func collapseSection(_ section: String) -> TreeOperation {
    TreeOperation("collapseSection", ["section": .string(section)])
  }
}
