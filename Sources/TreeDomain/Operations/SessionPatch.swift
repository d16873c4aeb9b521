public import TreeEngine

/// A change of a session's options.
///
/// Options that are `nil` do not change.
public struct SessionPatch: Equatable, Sendable {
  /// The change of the filter.
  public enum FilterChange: Equatable, Sendable {
    /// Removes the filter.
    case clear
    /// Sets a filter.
    case set(Filter)
  }

  /// The expansion rule.
  ///
  /// A new one resets all toggled nodes.
  public var expansion: ExpansionRule?
  /// The order of rows.
  public var order: RowOrder?
  /// The order of siblings among the session's rows.
  ///
  /// Empty for that of the tree.
  public var viewSort: SortOrder?
  /// The change of the filter.
  public var filter: FilterChange?
  /// The selection mode.
  public var selection: SelectionMode?
  /// The effect of a collapse on nodes inside.
  public var nestedExpansion: SessionOptions.NestedExpansion?
  /// True if expanding a node collapses its siblings.
  public var accordion: Bool?
  /// The idle timeout in seconds.
  ///
  /// 0 for none.
  public var idleTimeoutSeconds: Int?
  /// The order of siblings.
  ///
  /// Allowed for a private tree only.
  public var sort: SortOrder?
  /// The body it was read from; `nil` if there was none.
  public var body: [UInt8]?

  /// The claim to set the rows; `nil` for a request that cannot be superseded.
  public var claim: PatchClaim?

  /// Makes a patch that changes nothing.
  public init() {}

  /// True if the patch sets the choice or order of rows, which may take long.
  public var setsRows: Bool { filter != nil || order != nil || sort != nil || viewSort != nil }

  /// Returns true if the patch sets all of filter, order and sorts that another patch sets.
  public func setsRows(of other: SessionPatch) -> Bool {
    (filter != nil || other.filter == nil) && (order != nil || other.order == nil)
      && (sort != nil || other.sort == nil) && (viewSort != nil || other.viewSort == nil)
  }

  /// True if the patch changes the data of a private tree.
  ///
  /// The order of siblings is data.
  public var changesData: Bool { sort != nil }

  /// Returns the options after the patch.
  public func applied(to old: SessionOptions) -> SessionOptions {
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
