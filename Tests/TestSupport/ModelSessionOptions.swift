/// The order of the rows.
package enum ModelOrder: String, CaseIterable, Sendable {
  case depthFirst, breadthFirst
}

/// The number of nodes that can be selected.
package enum ModelSelectionMode: String, CaseIterable, Sendable {
  case none, single, multiple
}

/// The options of a new session.
package struct ModelSessionOptions: Sendable {
  /// The nodes that are expanded unless they were toggled.
  package enum Rule: Sendable, Equatable {
    case all, none
    /// The nodes above a depth.
    case depth(Int)

    func isExpanded(at depth: Int) -> Bool {
      switch self {
      case .all: true
      case .none: false
      case .depth(let limit): depth < limit
      }
    }

    /// The rule as JSON.
    package var json: [UInt8] {
      switch self {
      case .all: JSONText.string("all")
      case .none: JSONText.string("none")
      case .depth(let limit): JSONText.number(limit)
      }
    }
  }

  /// The initial rule.
  package var rule = Rule.all
  /// The initially expanded nodes; their ancestors are expanded, too.
  package var expandedKeys: [ModelKey] = []
  /// True if collapsing a node also collapses its descendants.
  package var forgetsNestedExpansion = false
  /// True if expanding a node collapses its siblings.
  package var isAccordion = false
  /// The order of the rows.
  package var order = ModelOrder.depthFirst
  /// The order of siblings in the view; empty for the order of the tree.
  package var viewSort: [ModelSort] = []
  /// The initial filter.
  package var filter: ModelFilter?
  /// The number of nodes that can be selected.
  package var selection = ModelSelectionMode.multiple
  /// The time in seconds that the session may be idle; nil for the default of the contract.
  package var idleTimeoutSeconds: Int?
  /// True if the session must not change data.
  package var isViewOnly = false
  /// The sort of a private tree.
  package var sort: [ModelSort] = []
  /// The section names of a private tree.
  package var sections: [ModelKey] = []
  /// The initial nodes of a private tree.
  package var nodes: [ModelNestedNode] = []
  /// The greatest depth of a node. It is a limit of the service and no option.
  package var maximumDepth: Int?

  /// Creates the default options of the contract: everything expanded, no nodes.
  package init() {}

  /// The body of the request that creates the session on a private tree.
  package var json: [UInt8] {
    var members = viewMembers
    if !sort.isEmpty { members.append(("sort", JSONText.array(sort.map(\.json)))) }
    if !sections.isEmpty {
      members.append(("sections", JSONText.array(sections.map(JSONText.key))))
    }
    members.append(("nodes", JSONText.array(nodes.map(\.json))))
    return JSONText.object(members)
  }

  /// Returns the body of the request that creates the session on a shared tree.
  package func json(tree: String) -> [UInt8] {
    JSONText.object([("tree", JSONText.string(tree))] + viewMembers)
  }

  /// Returns the body of the request that creates a tree with these sections, sort and nodes.
  package func treeJSON(tree: String?) -> [UInt8] {
    var members = tree.map { [("tree", JSONText.string($0))] } ?? []
    members.append(("sort", JSONText.array(sort.map(\.json))))
    if !sections.isEmpty {
      members.append(("sections", JSONText.array(sections.map(JSONText.key))))
    }
    members.append(("nodes", JSONText.array(nodes.map(\.json))))
    return JSONText.object(members)
  }

  /// The members that differ from the defaults of the contract, and always the expansion.
  private var viewMembers: [(String, [UInt8])] {
    var members = [("expansion", rule.json)]
    if !expandedKeys.isEmpty {
      members.append(("expandedKeys", JSONText.array(expandedKeys.map(JSONText.key))))
    }
    if forgetsNestedExpansion { members.append(("nestedExpansion", JSONText.string("forget"))) }
    if isAccordion { members.append(("accordion", JSONText.bool(true))) }
    if order != .depthFirst { members.append(("order", JSONText.string(order.rawValue))) }
    if !viewSort.isEmpty { members.append(("viewSort", JSONText.array(viewSort.map(\.json)))) }
    if let filter { members.append(("filter", filter.json)) }
    if selection != .multiple { members.append(("selection", JSONText.string(selection.rawValue))) }
    if let idleTimeoutSeconds {
      members.append(("idleTimeoutSeconds", JSONText.number(idleTimeoutSeconds)))
    }
    if isViewOnly { members.append(("access", JSONText.string("view"))) }
    return members
  }
}

/// The options that a PATCH of a session changes; nil for unchanged ones.
package struct ModelPatch: Sendable {
  /// A new rule, which clears toggled nodes.
  package var rule: ModelSessionOptions.Rule?
  package var order: ModelOrder?
  /// A new order of siblings in the view; empty for the order of the tree.
  package var viewSort: [ModelSort]?
  /// A new filter; `.some(nil)` clears it.
  package var filter: ModelFilter??
  package var selection: ModelSelectionMode?
  package var forgetsNestedExpansion: Bool?
  package var isAccordion: Bool?
  package var idleTimeoutSeconds: Int?
  /// A new sort of the private tree.
  package var sort: [ModelSort]?

  /// Creates a patch without changes.
  package init() {}

  /// The body of the request.
  package var json: [UInt8] {
    var members: [(String, [UInt8])] = []
    if let rule { members.append(("expansion", rule.json)) }
    if let order { members.append(("order", JSONText.string(order.rawValue))) }
    if let viewSort {
      let json = viewSort.isEmpty ? JSONText.key(nil) : JSONText.array(viewSort.map(\.json))
      members.append(("viewSort", json))
    }
    if let filter { members.append(("filter", filter?.json ?? JSONText.key(nil))) }
    if let selection { members.append(("selection", JSONText.string(selection.rawValue))) }
    if let forgetsNestedExpansion {
      let word = forgetsNestedExpansion ? "forget" : "remember"
      members.append(("nestedExpansion", JSONText.string(word)))
    }
    if let isAccordion { members.append(("accordion", JSONText.bool(isAccordion))) }
    if let idleTimeoutSeconds {
      members.append(("idleTimeoutSeconds", JSONText.number(idleTimeoutSeconds)))
    }
    if let sort { members.append(("sort", JSONText.array(sort.map(\.json)))) }
    return JSONText.object(members)
  }
}
