public import TreeEngine

/// Options of a session to be changed; those that are `nil` stay as they are.
public struct SessionPatch: Equatable, Sendable {
  /// What is said about a filter.
  public enum FilterChange: Equatable, Sendable {
    /// There is to be none.
    case clear
    /// This one is to be on.
    case set(Filter)
  }

  /// Which nodes are expanded; what was toggled is forgotten.
  public var expansion: ExpansionRule?
  /// The order of rows.
  public var order: RowOrder?
  /// Which nodes are rows.
  public var filter: FilterChange?
  /// How many nodes may be selected.
  public var selection: SelectionMode?
  /// What collapsing does to the inside.
  public var nestedExpansion: SessionOptions.NestedExpansion?
  /// Whether expanding a node collapses its siblings.
  public var accordion: Bool?
  /// How long the session may lie idle, in seconds; 0 for ever.
  public var idleTimeoutSeconds: Int?
  /// The order of siblings, which only a private tree takes from its session.
  public var sort: SortOrder?
  /// The body it was read from; `nil` where there was none.
  public var body: [UInt8]?

  /// The claim of the request to what it sets; `nil` for a request that nothing supersedes.
  public var claim: PatchClaim?

  /// Makes a patch that changes nothing.
  public init() {}

  /// True if it sets which rows there are, or their order: that of all nodes may take long.
  public var setsRows: Bool { filter != nil || order != nil || sort != nil }

  /// Returns true if the patch sets each of those options that another one sets.
  public func setsRows(of other: SessionPatch) -> Bool {
    (filter != nil || other.filter == nil) && (order != nil || other.order == nil)
      && (sort != nil || other.sort == nil)
  }

  /// True if it changes the data of a private tree: the order of siblings is data.
  public var changesData: Bool { sort != nil }

  /// The options as they are with the patch applied.
  public func applied(to old: SessionOptions) -> SessionOptions {
    var options = old
    options.expansion = expansion ?? old.expansion
    options.order = order ?? old.order
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
