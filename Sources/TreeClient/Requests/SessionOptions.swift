/// The options of a session.
///
/// Options that are nil have their default, or stay as they are.
public struct SessionOptions: Sendable, Hashable, Encodable {
  /// The rule for nodes that nobody toggled.
  public enum Expansion: Sendable, Hashable {
    /// Every node is expanded.
    case all
    /// Every node is collapsed.
    case none
    /// Nodes are expanded down to so many levels.
    case levels(Int)
  }

  /// The order of rows.
  public enum Order: String, Sendable, Codable {
    /// Each node directly in front of what is below it.
    case depthFirst
    /// By depth.
    case breadthFirst
  }

  /// The number of nodes that can be selected.
  public enum Selection: String, Sendable, Codable {
    /// No node.
    case none
    /// A single node.
    case single
    /// Any nodes.
    case multiple
  }

  /// The fate of what is inside a node that is collapsed.
  public enum NestedExpansion: String, Sendable, Codable {
    /// It is expanded as before when the node is expanded again.
    case remember
    /// It is collapsed, too.
    case forget
  }

  /// The rule for nodes that nobody toggled.
  public var expansion: Expansion?
  /// The order of rows.
  public var order: Order?
  /// The order of siblings among the rows of this session alone; `.some(nil)` for that of the tree.
  public var viewSort: [TreeSortDescriptor]??
  /// The filter; `.some(nil)` ends one.
  public var filter: TreeFilter??
  /// The number of nodes that can be selected.
  public var selection: Selection?
  /// The fate of what is inside a node that is collapsed.
  public var nestedExpansion: NestedExpansion?
  /// True if expanding a node collapses its expanded siblings.
  public var accordion: Bool?
  /// The seconds for which the session may lie idle; 0 for ever.
  public var idleTimeoutSeconds: Int?
  /// The order of siblings of a private tree.
  public var sort: [TreeSortDescriptor]?

  /// Makes options.
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
  /// Writes the rule as requests have it.
  public func encode(to encoder: any Encoder) throws {
    let json: JSONValue =
      switch self {
      case .all: "all"
      case .none: "none"
      case .levels(let count): .integer(count)
      }
    try json.encode(to: encoder)
  }

  /// Reads a rule as answers have it.
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    self = json.integer.map { .levels($0) } ?? (json == "none" ? .none : .all)
  }
}
