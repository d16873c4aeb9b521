import JSON
package import TreeEngine

/// The options of a session.
package struct SessionOptions: Equatable, Sendable {
  /// The effect of collapsing a node on expanded nodes inside.
  package enum NestedExpansion: String, CaseIterable, Sendable {
    /// Nodes inside stay expanded and are shown again when the node is expanded.
    case remember
    /// All nodes inside are collapsed as well.
    case forget
  }

  /// The default idle timeout in seconds: a week.
  static let defaultIdleTimeoutSeconds = 604_800
  /// The largest idle timeout in seconds: a year.
  static let maxIdleTimeoutSeconds = 31_536_000

  /// The expansion of nodes that nobody has toggled.
  package var expansion: ExpansionRule
  /// The effect of collapsing a node on nodes inside.
  package var nestedExpansion: NestedExpansion
  /// The order of siblings in a private tree.
  ///
  /// Empty for the order of arrival.
  package var sort: SortOrder
  /// The order of rows.
  package var order = RowOrder.depthFirst
  /// The order of siblings among the session's rows.
  ///
  /// Empty for that of the tree.
  package var viewSort = SortOrder([])
  /// The filter of rows; `nil` for none.
  ///
  /// Ancestors of matches are rows, too.
  package var filter: Filter?
  /// The selection mode.
  package var selection = SelectionMode.multiple
  /// True if expanding a node collapses its expanded siblings.
  package var accordion = false
  /// The changes that clients of the session may make.
  ///
  /// A patch cannot change it.
  package var access = SessionAccess.write
  /// The idle timeout in seconds.
  ///
  /// 0 for none.
  package var idleTimeoutSeconds = defaultIdleTimeoutSeconds

  /// Makes options.
  ///
  /// The default is everything expanded, in order of arrival.
  package init(
    expansion: ExpansionRule = .all,
    nestedExpansion: NestedExpansion = .remember,
    sort: SortOrder = SortOrder([])
  ) {
    self.expansion = expansion
    self.nestedExpansion = nestedExpansion
    self.sort = sort
  }
}

/// The order of a session's rows.
package enum RowOrder: String, CaseIterable, Sendable {
  /// Pre-order: each node is directly followed by its subtree.
  case depthFirst
  /// By depth inside each section. Nodes of equal depth have the same order as in `depthFirst`.
  case breadthFirst
}

/// The number of nodes that a session can select.
package enum SelectionMode: String, CaseIterable, Sendable {
  /// No nodes.
  case none
  /// At most one node. Selecting another deselects it.
  case single
  /// Any number of nodes.
  case multiple
}

/// The changes that a session allows to its clients.
///
/// The access is set when the session is created and never changes.
package enum SessionAccess: String, CaseIterable, Sendable {
  /// Changes of data and view.
  case write
  /// Changes of the view only.
  case view
}

extension SessionOptions {
  /// Writes the options except expansion and sort as members of an open object.
  func writeMembers(to writer: inout JSONWriter) {
    writer.name("order")
    writer.string(order.rawValue)
    writer.name("viewSort")
    if viewSort.isEmpty { writer.null() } else { viewSort.write(to: &writer) }
    writer.name("filter")
    if let filter { filter.write(to: &writer) } else { writer.null() }
    writer.name("selection")
    writer.string(selection.rawValue)
    writer.name("nestedExpansion")
    writer.string(nestedExpansion.rawValue)
    writer.name("accordion")
    writer.boolean(accordion)
    writer.name("idleTimeoutSeconds")
    writer.integer(idleTimeoutSeconds)
  }
}
