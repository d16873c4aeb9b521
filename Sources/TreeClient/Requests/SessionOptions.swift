/// The options of a session.
///
/// In a new session, nil stands for the default. In a change, it keeps the option.
public struct SessionOptions: Sendable, Hashable, Encodable {
  /// The rule for nodes that were not expanded or collapsed individually.
  public enum Expansion: Sendable, Hashable {
    /// Every node is expanded.
    case all
    /// Every node is collapsed. In an option, `none` would be the lack of a rule.
    case nothing
    /// The nodes of the first levels are expanded.
    case levels(Int)
  }

  /// The order of rows.
  public enum Order: String, Sendable, Codable {
    /// Each node directly before its descendants.
    case depthFirst
    /// Root by root, and within a root by depth.
    case breadthFirst
  }

  /// The number of nodes that can be selected.
  public enum Selection: String, Sendable, Codable {
    /// No node.
    case nothing = "none"
    /// A single node.
    case single
    /// Any nodes.
    case multiple
  }

  /// The expansion of nodes below a node that is collapsed.
  public enum NestedExpansion: String, Sendable, Codable {
    /// They are expanded as before when the node is expanded again.
    case remember
    /// They are collapsed, too.
    case forget
  }

  /// The rule for nodes that were not expanded or collapsed individually.
  public var expansion: Expansion?
  /// The order of rows.
  public var order: Order?
  /// The order of siblings among the rows of this session alone; `.some(nil)` for that of the tree.
  public var viewSort: [TreeSortDescriptor]??
  /// The filter; `.some(nil)` to remove it.
  public var filter: TreeFilter??
  /// The number of nodes that can be selected.
  public var selection: Selection?
  /// The expansion of nodes below a node that is collapsed.
  public var nestedExpansion: NestedExpansion?
  /// True if expanding a node collapses its expanded siblings.
  public var accordion: Bool?
  /// The time in seconds after which the idle session expires; 0 for never.
  public var idleTimeoutSeconds: Int?
  /// The order of siblings of a private tree.
  public var sort: [TreeSortDescriptor]?

  /// Creates options.
  public init(
    expansion: Expansion? = nil,
    order: Order? = nil,
    viewSort: [TreeSortDescriptor]?? = nil,
    filter: TreeFilter?? = nil,
    selection: Selection? = nil,
    nestedExpansion: NestedExpansion? = nil,
    accordion: Bool? = nil,
    idleTimeoutSeconds: Int? = nil,
    sort: [TreeSortDescriptor]? = nil
  ) {
    self.expansion = expansion
    self.order = order
    self.viewSort = viewSort
    self.filter = filter
    self.selection = selection
    self.nestedExpansion = nestedExpansion
    self.accordion = accordion
    self.idleTimeoutSeconds = idleTimeoutSeconds
    self.sort = sort
  }
}

extension SessionOptions.Expansion: Codable {
  /// Encodes the rule for a request.
  public func encode(to encoder: any Encoder) throws {
    let json: JSONValue =
      switch self {
      case .all: "all"
      case .nothing: "none"
      case .levels(let count): .integer(count)
      }
    try json.encode(to: encoder)
  }

  /// Decodes a rule of an answer.
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    self = json.integer.map { .levels($0) } ?? (json == "none" ? .nothing : .all)
  }
}
