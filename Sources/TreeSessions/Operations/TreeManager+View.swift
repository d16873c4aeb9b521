import TreeDomain
import TreeEngine

// The view of a session: expansion and selection.
extension TreeManager {
  /// Expands a node, and levels below it.
  ///
  /// In an accordion, its expanded siblings collapse.
  mutating func expand(
    _ node: NodeID,
    _ levels: Levels,
    in session: OpenSession
  ) throws(ServiceError) {
    let wasExpanded = tree.isExpanded(node, in: session.view)
    let nodes = try counted { tree, count throws(Interruption) in
      try tree.collapsedNodes(from: node, levels: levels.number, in: session.view, counting: count)
    }
    if nodes.count > 1 {
      try checkRoom(bytes: nodes.count * EngineTree.bytesPerToggle, of: session)
    }
    try counted { tree, count throws(Interruption) in
      try tree.expand(nodes, in: session.view, counting: count)
    }
    if !wasExpanded { try closeSiblings(of: node, in: session) }
  }

  private mutating func closeSiblings(
    of node: NodeID,
    in session: OpenSession
  ) throws(ServiceError) {
    guard session.options.accordion, tree.isExpanded(node, in: session.view) else { return }
    try meter.count(tree.siblingsAsked(of: node, in: session.view))
    for sibling in tree.expandedSiblings(of: node, in: session.view) {
      try collapse(sibling, .count(1), in: session)
    }
  }

  /// Collapses a node and levels below it, or all levels if the session forgets nested expansion.
  mutating func collapse(
    _ node: NodeID,
    _ levels: Levels,
    in session: OpenSession
  ) throws(ServiceError) {
    let levels = session.options.nestedExpansion == .forget ? .all : levels
    try counted { tree, count throws(Interruption) in
      try tree.collapse(node, levels: levels.number, in: session.view, counting: count)
    }
  }

  /// Sets the expansion rule for all nodes, present and future.
  ///
  /// Sections stay as they are.
  ///
  /// - Throws: The errors of the meter.
  mutating func setRule(
    _ rule: ExpansionRule,
    in session: OpenSession
  ) throws(ServiceError) {
    try meter.count(sections.all.count)
    let collapsed = sections.all.map(\.node).filter { !tree.isExpanded($0, in: session.view) }
    let rule = engineRule(rule)
    let toggles = sectionToggles(under: rule, collapsed: Set(collapsed))
    try counted { tree, count throws(Interruption) in
      try tree.setRule(rule, toggling: toggles, in: session.view, counting: count)
    }
  }

  /// Expands the ancestors of some nodes, and selects the nodes if that is asked for.
  ///
  /// - Throws: `node-not-found`; `hidden-by-filter` for a node that the filter hides;
  ///   `selection-mode`.
  mutating func reveal(
    _ keys: ArraySlice<ByteSlice>,
    selects: Bool,
    in session: OpenSession,
    _ batch: Batch
  ) throws(ServiceError) {
    try meter.count(keys.count)
    var nodes: [NodeID] = []
    for key in keys { nodes.append(try find(batch[key])) }
    if let filter = session.options.filter {
      for (key, node) in zip(keys, nodes) where try !shows(node, by: filter, in: session) {
        throw ServiceError(
          .hiddenByFilter,
          "The session's filter hides this node; change or clear the filter, then reveal it.",
          key: batch[key]
        )
      }
    }
    if session.options.accordion {
      for node in nodes { try revealClosingSiblings(node, in: session) }
    } else {
      try counted { tree, count throws(Interruption) in
        try tree.reveal(nodes, in: session.view, counting: count)
      }
    }
    if selects { try select(nodes, in: session) }
  }

  /// Returns true if a filter shows a node in the current state: a match, or an ancestor of one.
  ///
  /// - Complexity: O(1) if the transaction has changed no data; otherwise O(descendants).
  private mutating func shows(
    _ node: NodeID,
    by filter: Filter,
    in session: OpenSession
  ) throws(ServiceError) -> Bool {
    guard try hasDataChanges() else { return tree.passedFilter(node, in: session.view) }
    // The view is updated only at the end of the transaction.
    var rest = tree.subtreeSize(of: node) - 1
    var found = try matches(filter, node)
    guard !found, rest > 0 else { return found }
    try forEachNode(after: node) { below throws(ServiceError) in
      found = try matches(filter, below)
      rest -= 1
      return !found && rest > 0
    }
    return found
  }

  private mutating func revealClosingSiblings(
    _ node: NodeID,
    in session: OpenSession
  ) throws(ServiceError) {
    let collapsed = try counted { tree, count throws(Interruption) in
      try tree.collapsedAncestors(of: node, in: session.view, counting: count)
    }
    for node in collapsed {
      // Sections are not part of an accordion.
      if isSection(node) {
        tree.expand(node, in: session.view)
      } else {
        try expand(node, .count(1), in: session)
      }
    }
  }

  // MARK: Selection

  mutating func select(
    _ target: SelectionTarget,
    in session: OpenSession,
    _ batch: Batch
  ) throws(ServiceError) {
    switch target {
    case .keys(let keys):
      try select(try findAll(batch.keys[keys.range], in: batch), in: session)
    case .subtree(let key):
      let top = try find(batch[key])
      try checkMode(isSingle: tree.childCount(of: top) == 0, session)
      let bytes = tree.subtreeSize(of: top) * EngineTree.bytesPerSelectedNode
      try checkRoom(bytes: bytes, of: session)
      if session.options.selection == .single { try clearSelection(in: session) }
      try counted { tree, count throws(Interruption) in
        try tree.selectSubtree(of: top, in: session.view, counting: count)
      }
    }
  }

  private mutating func select(
    _ nodes: [NodeID],
    in session: OpenSession
  ) throws(ServiceError) {
    try checkMode(isSingle: nodes.allSatisfy { $0 == nodes.first }, session)
    if session.options.selection == .single { try clearSelection(in: session) }
    try meter.count(nodes.count)
    tree.select(nodes, in: session.view)
  }

  mutating func clearSelection(in session: OpenSession) throws(ServiceError) {
    try counted { tree, count throws(Interruption) in
      try tree.clearSelection(in: session.view, counting: count)
    }
  }

  private func checkMode(isSingle: Bool, _ session: OpenSession) throws(ServiceError) {
    switch session.options.selection {
    case .multiple: return
    case .single:
      guard !isSingle else { return }
      throw ServiceError(
        .selectionMode,
        "This session selects one node at a time; name a single one, or PATCH its `selection`."
      )
    case .none:
      throw ServiceError(
        .selectionMode,
        "Nothing can be selected in this session; PATCH its `selection` first."
      )
    }
  }

  mutating func deselect(
    _ target: SelectionTarget,
    in session: OpenSession,
    _ batch: Batch
  ) throws(ServiceError) {
    switch target {
    case .keys(let keys):
      try meter.count(keys.count)
      tree.deselect(try findAll(batch.keys[keys.range], in: batch), in: session.view)
    case .subtree(let key):
      let top = try find(batch[key])
      try counted { tree, count throws(Interruption) in
        try tree.deselectSubtree(of: top, in: session.view, counting: count)
      }
    }
  }

  /// Returns the nodes with some keys, in order.
  ///
  /// - Throws: `node-not-found`.
  private func findAll(
    _ keys: ArraySlice<ByteSlice>,
    in batch: Batch
  ) throws(ServiceError) -> [NodeID] {
    var nodes: [NodeID] = []
    for key in keys { nodes.append(try find(batch[key])) }
    return nodes
  }
}

extension Levels {
  fileprivate var number: Int {
    switch self {
    case .count(let count): count
    case .all: .max
    }
  }
}
