/// The order of the rows.
package enum ModelOrder: String, CaseIterable, Sendable {
  case depthFirst, breadthFirst
}

/// How many nodes may be selected.
package enum ModelSelectionMode: String, CaseIterable, Sendable {
  case none, single, multiple
}

/// What a client asks of a new session.
package struct ModelSessionOptions: Sendable {
  /// Which nodes are expanded unless they were toggled.
  package enum Rule: Sendable, Equatable {
    case all, none
    /// Nodes above this depth.
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

  /// The rule to start with.
  package var rule = Rule.all
  /// Nodes opened at once, with all their ancestors.
  package var expandedKeys: [ModelKey] = []
  /// Whether collapsing also collapses what is inside.
  package var forgetsNestedExpansion = false
  /// Whether expanding a node collapses its siblings.
  package var isAccordion = false
  /// The order of the rows.
  package var order = ModelOrder.depthFirst
  /// The order of siblings among the rows; empty for that of the tree.
  package var viewSort: [ModelSort] = []
  /// The filter to start with.
  package var filter: ModelFilter?
  /// How many nodes may be selected.
  package var selection = ModelSelectionMode.multiple
  /// How long the session may be idle; `nil` is the contract's default.
  package var idleTimeoutSeconds: Int?
  /// True for a session that may change no data.
  package var isViewOnly = false
  /// The tree-level sort, of a private tree.
  package var sort: [ModelSort] = []
  /// The names of the sections, of a private tree.
  package var sections: [ModelKey] = []
  /// The first nodes, of a private tree.
  package var nodes: [ModelNestedNode] = []
  /// The greatest depth a node may have, a limit of the service and no option of the session.
  package var maximumDepth: Int?

  /// The contract's defaults: everything expanded, no nodes.
  package init() {}

  /// The body of the request that makes the session over a private tree.
  package var json: [UInt8] {
    var members = viewMembers
    if !sort.isEmpty { members.append(("sort", JSONText.array(sort.map(\.json)))) }
    if !sections.isEmpty {
      members.append(("sections", JSONText.array(sections.map(JSONText.key))))
    }
    members.append(("nodes", JSONText.array(nodes.map(\.json))))
    return JSONText.object(members)
  }

  /// The body of the request that makes the session over a shared tree.
  package func json(tree: String) -> [UInt8] {
    JSONText.object([("tree", JSONText.string(tree))] + viewMembers)
  }

  /// The body of the request that makes the tree of these sections, sort and nodes.
  package func treeJSON(tree: String?) -> [UInt8] {
    var members = tree.map { [("tree", JSONText.string($0))] } ?? []
    members.append(("sort", JSONText.array(sort.map(\.json))))
    if !sections.isEmpty {
      members.append(("sections", JSONText.array(sections.map(JSONText.key))))
    }
    members.append(("nodes", JSONText.array(nodes.map(\.json))))
    return JSONText.object(members)
  }

  /// What differs from the contract's defaults, the expansion always.
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

/// The options that a PATCH of a session changes; `nil` leaves one as it is.
package struct ModelPatch: Sendable {
  /// A new rule, with nothing toggled.
  package var rule: ModelSessionOptions.Rule?
  package var order: ModelOrder?
  /// Another order of siblings among the rows; empty for that of the tree.
  package var viewSort: [ModelSort]?
  /// A new filter; `.some(nil)` clears it.
  package var filter: ModelFilter??
  package var selection: ModelSelectionMode?
  package var forgetsNestedExpansion: Bool?
  package var isAccordion: Bool?
  package var idleTimeoutSeconds: Int?
  /// The private tree's sort.
  package var sort: [ModelSort]?

  /// A patch of nothing.
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
