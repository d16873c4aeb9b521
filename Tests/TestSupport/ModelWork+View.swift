extension ModelWork {
  func performOnView(_ operation: ModelOperation) throws(ModelRefusal) {
    switch operation {
    case .expand(let key, let levels): expand(try tree.node(key), levels)
    case .collapse(let key, let levels): collapse(try tree.node(key), levels)
    case .toggle(let key, let levels):
      let node = try tree.node(key)
      if reading.isExpanded(node) { collapse(node, levels) } else { expand(node, levels) }
    case .expandAll: setRule(.all)
    case .collapseAll: setRule(.none)
    case .reveal(let keys, let selects):
      try reveal(keys)
      if selects { try select(.keys(keys)) }
    case .select(let selection): try select(selection)
    case .deselect(let selection):
      view.selected.subtract(try nodes(of: selection).map(\.identity))
    case .clearSelection: view.selected = []
    case .expandSection(let name):
      view.current.collapsedSections.remove(try tree.section(name).identity)
    case .collapseSection(let name):
      view.current.collapsedSections.insert(try tree.section(name).identity)
    default: preconditionFailure("\(operation.name) concerns the tree")
    }
  }

  // MARK: - Expansion

  func setExpanded(_ node: ModelNode, _ expanded: Bool) {
    guard node.childState != .leaf, reading.isExpanded(node) != expanded else { return }
    view.current.toggled.formSymmetricDifference([node.identity])
  }

  /// Expands a node. In an accordion its siblings collapse if it was not expanded.
  private func open(_ node: ModelNode) {
    guard node.childState != .leaf, !reading.isExpanded(node) else { return }
    setExpanded(node, true)
    guard view.isAccordion else { return }
    for sibling in tree.siblings(of: node) where sibling !== node && reading.isExpanded(sibling) {
      collapse(sibling, .count(1))
    }
  }

  private func expand(_ node: ModelNode, _ levels: ModelLevels) {
    open(node)
    expandInside(node, levels)
  }

  private func expandInside(_ node: ModelNode, _ levels: ModelLevels) {
    guard let inside = levels.inside else { return }
    for child in node.children {
      setExpanded(child, true)
      expandInside(child, inside)
    }
  }

  private func collapse(_ node: ModelNode, _ levels: ModelLevels) {
    setExpanded(node, false)
    guard let inside = view.forgetsNestedExpansion ? .all : levels.inside else { return }
    for child in node.children { collapse(child, inside) }
  }

  private func setRule(_ rule: ModelSessionOptions.Rule) {
    view.current.rule = rule
    view.current.toggled = []
  }

  private func reveal(_ keys: [ModelKey]) throws(ModelRefusal) {
    var nodes: [ModelNode] = []
    for key in keys { nodes.append(try tree.node(key)) }
    let reading = reading
    guard nodes.allSatisfy(reading.isKept) else { throw ModelRefusal(code: .hiddenByFilter) }
    for node in nodes {
      view.current.collapsedSections.remove(tree.section(of: node).identity)
      for ancestor in node.ancestors { open(ancestor) }
    }
  }

  // MARK: - Selection

  private func nodes(of selection: ModelSelection) throws(ModelRefusal) -> [ModelNode] {
    switch selection {
    case .subtree(let key): return try tree.node(key).subtree
    case .keys(let keys):
      var nodes: [ModelNode] = []
      for key in keys { nodes.append(try tree.node(key)) }
      return nodes
    }
  }

  private func select(_ selection: ModelSelection) throws(ModelRefusal) {
    let wanted = Set(try nodes(of: selection).map(\.identity))
    switch view.selection {
    case .multiple: view.selected.formUnion(wanted)
    case .single where wanted.count == 1: view.selected = wanted
    case .single, .none: throw ModelRefusal(code: .selectionMode)
    }
  }

  // MARK: - Options

  /// Changes options of the acting session.
  func patch(_ patch: ModelPatch) {
    if let filter = patch.filter { view.setFilter(filter) }
    if let rule = patch.rule {
      view.expansion.rule = rule
      view.expansion.toggled = []
    }
    if let order = patch.order { view.order = order }
    if let viewSort = patch.viewSort { view.viewSort = viewSort }
    if let forgets = patch.forgetsNestedExpansion { view.forgetsNestedExpansion = forgets }
    if let isAccordion = patch.isAccordion { view.isAccordion = isAccordion }
    if let seconds = patch.idleTimeoutSeconds { view.idleTimeoutSeconds = seconds }
    if let selection = patch.selection {
      view.selection = selection
      if !selection.fits(view.selected.count) { view.selected = [] }
    }
    guard let sort = patch.sort else { return }
    tree.sort = sort
    for parent in tree.sections.map(ModelParent.section) + tree.allNodes.map(ModelParent.node) {
      parent.setChildren(parent.children.sorted(by: sort))
    }
    rearranges = true
    relocated.formUnion(tree.allNodes.map(\.identity))
    carried.formUnion(relocated)
  }
}

extension ModelSelectionMode {
  fileprivate func fits(_ count: Int) -> Bool {
    switch self {
    case .none: count == 0
    case .single: count <= 1
    case .multiple: true
    }
  }
}

extension ModelLevels {
  /// The levels that remain one level down; nil if none remain.
  fileprivate var inside: ModelLevels? {
    switch self {
    case .all: .all
    case .count(let count): count > 1 ? .count(count - 1) : nil
    }
  }
}
