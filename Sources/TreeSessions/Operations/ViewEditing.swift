import TreeDomain
import TreeEngine

/// The operations on the view of a session: expansion and selection.
struct ViewEditing {
  let session: OpenSession

  /// Applies an operation in the running transaction.
  ///
  /// - Throws: The reason to refuse it.
  func apply(
    _ operation: ViewOperation,
    of batch: Batch,
    in content: inout TreeContent
  ) throws(ServiceError) {
    switch operation {
    case .expand(let key, let levels):
      try expand(content.find(key, in: batch), levels, in: &content)
    case .collapse(let key, let levels):
      try collapse(content.find(key, in: batch), levels, in: &content)
    case .toggle(let key, let levels):
      let node = try content.find(key, in: batch)
      if content.tree.isExpanded(node, in: session.view) {
        try collapse(node, levels, in: &content)
      } else {
        try expand(node, levels, in: &content)
      }
    case .expandAll: try setRule(.all, in: &content)
    case .collapseAll: try setRule(.none, in: &content)
    case .reveal(let keys, let selects):
      try reveal(batch.keys[keys.range], selects: selects, of: batch, in: &content)
    case .select(let target): try select(target, of: batch, in: &content)
    case .deselect(let target): try deselect(target, of: batch, in: &content)
    case .clearSelection: try clearSelection(in: &content)
    case .expandSection(let name):
      content.tree.expand(try content.section(named: batch[name]), in: session.view)
    case .collapseSection(let name):
      content.tree.collapse(try content.section(named: batch[name]), in: session.view)
    }
  }

  /// Expands a node, and levels below it.
  ///
  /// In an accordion, its expanded siblings collapse.
  func expand(
    _ node: NodeID,
    _ levels: Levels,
    in content: inout TreeContent
  ) throws(ServiceError) {
    let wasExpanded = content.tree.isExpanded(node, in: session.view)
    let nodes = try content.counted { tree, count throws(Interruption) in
      try tree.collapsedNodes(from: node, levels: levels.number, in: session.view, counting: count)
    }
    if nodes.count > 1 {
      try content.checkRoom(bytes: nodes.count * EngineTree.bytesPerToggle, of: session)
    }
    try content.counted { tree, count throws(Interruption) in
      try tree.expand(nodes, in: session.view, counting: count)
    }
    if !wasExpanded { try closeSiblings(of: node, in: &content) }
  }

  private func closeSiblings(
    of node: NodeID,
    in content: inout TreeContent
  ) throws(ServiceError) {
    guard session.options.accordion, content.tree.isExpanded(node, in: session.view) else { return }
    try content.meter.count(content.tree.siblingsAsked(of: node, in: session.view))
    for sibling in content.tree.expandedSiblings(of: node, in: session.view) {
      try collapse(sibling, .count(1), in: &content)
    }
  }

  /// Collapses a node and levels below it, or all levels if the session forgets nested expansion.
  func collapse(
    _ node: NodeID,
    _ levels: Levels,
    in content: inout TreeContent
  ) throws(ServiceError) {
    let levels = session.options.nestedExpansion == .forget ? .all : levels
    try content.counted { tree, count throws(Interruption) in
      try tree.collapse(node, levels: levels.number, in: session.view, counting: count)
    }
  }

  /// Sets the expansion rule for all nodes, present and future.
  ///
  /// Sections stay as they are.
  ///
  /// - Throws: The errors of the meter.
  func setRule(
    _ rule: ExpansionRule,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try content.meter.count(content.sections.all.count)
    var collapsed: Set<NodeID> = []
    for section in content.sections.all
    where !content.tree.isExpanded(section.node, in: session.view) {
      collapsed.insert(section.node)
    }
    let rule = rule.inEngine
    let toggles = content.sectionToggles(under: rule, collapsed: collapsed)
    try content.counted { tree, count throws(Interruption) in
      try tree.setRule(rule, toggling: toggles, in: session.view, counting: count)
    }
  }

  /// Expands the ancestors of some nodes, and selects the nodes if that is asked for.
  ///
  /// - Throws: `node-not-found`; `hidden-by-filter` for a node that the filter hides;
  ///   `selection-mode`.
  func reveal(
    _ keys: ArraySlice<ByteSlice>,
    selects: Bool,
    of batch: Batch,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try content.meter.count(keys.count)
    var nodes: [NodeID] = []
    for key in keys { nodes.append(try content.find(batch[key])) }
    if let filter = session.options.filter {
      for (key, node) in zip(keys, nodes) where try !shows(node, by: filter, in: &content) {
        throw ServiceError(
          .hiddenByFilter,
          "The session's filter hides this node; change or clear the filter, then reveal it.",
          key: batch[key]
        )
      }
    }
    try reveal(nodes, in: &content)
    if selects { try select(nodes, in: &content) }
  }

  /// Expands the ancestors of some nodes, and checks memory on the way.
  ///
  /// The number of ancestors to expand is not known beforehand. The depth limit bounds
  /// those of a slice.
  private func reveal(_ nodes: [NodeID], in content: inout TreeContent) throws(ServiceError) {
    let before = content.tree.toggledCount(in: session.view)
    var rest = nodes[...]
    while !rest.isEmpty {
      let slice = Array(rest.prefix(Self.revealedAtOnce))
      rest = rest.dropFirst(slice.count)
      if session.options.accordion {
        for node in slice { try revealClosingSiblings(node, in: &content) }
      } else {
        try content.counted { tree, count throws(Interruption) in
          try tree.reveal(slice, in: session.view, counting: count)
        }
      }
      // The memory of the view is counted when the transaction ends.
      let toggled = content.tree.toggledCount(in: session.view) - before
      guard toggled > 0 else { continue }
      try content.checkRoom(bytes: toggled * EngineTree.bytesPerToggle, of: session)
    }
  }

  /// The number of nodes that are revealed between two checks of memory.
  private static let revealedAtOnce = 64

  /// Returns true if a filter shows a node in the current state: a match, or an ancestor of one.
  ///
  /// - Complexity: O(1) if the transaction has changed no data; otherwise O(descendants).
  private func shows(
    _ node: NodeID,
    by filter: Filter,
    in content: inout TreeContent
  ) throws(ServiceError) -> Bool {
    guard try content.hasDataChanges() else {
      return content.tree.passedFilter(node, in: session.view)
    }
    // The view is updated only at the end of the transaction.
    var rest = content.tree.subtreeSize(of: node) - 1
    var found = try content.tree.matches(filter, node, counting: content.meter)
    guard !found, rest > 0 else { return found }
    let meter = content.meter
    try content.tree.forEachNode(after: node, counting: meter) { below throws(ServiceError) in
      found = try content.tree.matches(filter, below, counting: meter)
      rest -= 1
      return !found && rest > 0
    }
    return found
  }

  private func revealClosingSiblings(
    _ node: NodeID,
    in content: inout TreeContent
  ) throws(ServiceError) {
    let collapsed = try content.counted { tree, count throws(Interruption) in
      try tree.collapsedAncestors(of: node, in: session.view, counting: count)
    }
    for node in collapsed {
      // Sections are not part of an accordion.
      if content.tree.isSection(node) {
        content.tree.expand(node, in: session.view)
      } else {
        try expand(node, .count(1), in: &content)
      }
    }
  }
}

extension BatchSize {
  /// Returns the number of nodes that an operation on a view affects.
  func viewNodes(
    _ operation: ViewOperation,
    _ batch: Batch,
    _ session: OpenSession,
    _ content: borrowing TreeContent
  ) -> Int {
    switch operation {
    case .expand(let key, let levels), .collapse(let key, let levels), .toggle(let key, let levels):
      toggledNodes(batch[key], levels, session, content)
    case .expandSection(let name), .collapseSection(let name):
      isListed ? section(batch[name], content) : 0
    case .expandAll, .collapseAll: content.sizeOfShowingAll(in: session)
    case .reveal(let keys, _): revealedNodes(batch.keys[keys.range], batch, session, content)
    case .select(.subtree(let key)), .deselect(.subtree(let key)): subtree(batch[key], content)
    case .clearSelection: content.tree.selectedCount(of: session.view)
    case .select(.keys), .deselect(.keys): 0
    }
  }
}

extension ChangeImpact {
  /// Adds the nodes on which the effect of an operation on a view depends.
  static func add(
    _ operation: ViewOperation,
    of batch: Batch,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    switch operation {
    case .expand(let key, _), .collapse(let key, _), .toggle(let key, _),
      .select(.subtree(let key)), .deselect(.subtree(let key)):
      addSubtree(of: batch[key], to: &footprint, copy)
    case .select(.keys(let keys)), .deselect(.keys(let keys)):
      for key in batch.keys[keys.range] { add(batch[key], to: &footprint, copy) }
    case .clearSelection: break
    case .expandAll, .collapseAll, .reveal, .expandSection, .collapseSection:
      footprint.subtrees = [.forestRoot]
    }
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

extension ExpansionRule {
  /// The engine's form of the rule.
  ///
  /// In the engine, sections are the top level, so the number of levels is one greater.
  /// ``ExpansionRule/none`` stays as it is: each section is then expanded by a toggle of its own,
  /// which needs no index of the roots.
  var inEngine: ExpansionRule {
    guard case .levels(let levels) = self, levels > 0 else { return self }
    return .levels(min(levels, .max - 1) + 1)
  }

  /// The contract's form of a rule of the engine.
  var inContract: ExpansionRule {
    guard case .levels(let levels) = self, levels > 0 else { return self }
    return .levels(levels - 1)
  }
}
