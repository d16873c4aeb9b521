package import TreeEngine

/// A change of a session's options.
///
/// Options that are `nil` do not change.
package struct SessionPatch: Equatable, Sendable {
  /// The change of the filter.
  package enum FilterChange: Equatable, Sendable {
    /// Removes the filter.
    case clear
    /// Sets a filter.
    case set(Filter)
  }

  /// The expansion rule.
  ///
  /// A new one resets all toggled nodes.
  package var expansion: ExpansionRule?
  /// The order of rows.
  package var order: RowOrder?
  /// The order of siblings among the session's rows.
  ///
  /// Empty for that of the tree.
  package var viewSort: SortOrder?
  /// The change of the filter.
  package var filter: FilterChange?
  /// The selection mode.
  package var selection: SelectionMode?
  /// The effect of a collapse on nodes inside.
  package var nestedExpansion: SessionOptions.NestedExpansion?
  /// True if expanding a node collapses its siblings.
  package var accordion: Bool?
  /// The idle timeout in seconds.
  ///
  /// 0 for none.
  package var idleTimeoutSeconds: Int?
  /// The order of siblings.
  ///
  /// Allowed for a private tree only.
  package var sort: SortOrder?
  /// The body it was read from; `nil` if there was none.
  package var body: [UInt8]?

  /// The claim to set the rows; `nil` for a request that cannot be superseded.
  package var claim: PatchClaim?

  /// Makes a patch that changes nothing.
  package init() {}

  /// True if the patch sets the choice or order of rows, which may take long.
  package var setsRows: Bool { filter != nil || order != nil || sort != nil || viewSort != nil }

  /// Returns true if the patch sets all of filter, order and sorts that another patch sets.
  package func setsRows(of other: SessionPatch) -> Bool {
    (filter != nil || other.filter == nil) && (order != nil || other.order == nil)
      && (sort != nil || other.sort == nil) && (viewSort != nil || other.viewSort == nil)
  }

  /// True if the patch changes the data of a private tree.
  ///
  /// The order of siblings is data.
  package var changesData: Bool { sort != nil }

  /// Returns the options after the patch.
  package func applied(to old: SessionOptions) -> SessionOptions {
    var options = old
    options.expansion = expansion ?? old.expansion
    options.order = order ?? old.order
    options.viewSort = viewSort ?? old.viewSort
    options.selection = selection ?? old.selection
    options.nestedExpansion = nestedExpansion ?? old.nestedExpansion
    options.accordion = accordion ?? old.accordion
    options.idleTimeoutSeconds = idleTimeoutSeconds ?? old.idleTimeoutSeconds
    options.sort = sort ?? old.sort
    switch filter {
    case .set(let filter): options.filter = filter
    case .clear: options.filter = nil
    case nil: break
    }
    return options
  }
}
