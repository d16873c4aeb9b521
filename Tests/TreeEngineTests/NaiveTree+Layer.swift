import TreeEngine

extension NaiveTree {
  /// The filter and the order of a view.
  struct Layer {
    var order = ViewOrder.depthFirst
    /// The number of changes of the order.
    var reorderings = 0
    /// The text that matching objects contain; nil without a filter.
    var filter: String?
    /// The expansion without the filter.
    var aside: (rule: ExpansionRule, toggled: Set<Int>)?

    var summary: String {
      guard let filter, let aside else { return "\(order)" }
      return "\(order) \(filter) aside \(aside.rule) \(aside.toggled.sorted())"
    }
  }

  /// The number of changes of each view's order.
  var reorderings: [Int] { views.map(\.layer.reorderings) }

  /// Returns the rows in the order of the view.
  func rows(in view: Int) -> [Node] {
    let rows = rows(below: root, in: view)
    guard views[view].layer.order == .breadthFirst else { return rows }
    return root.children.flatMap { top in
      let below = rows.filter { $0.isAtOrBelow(top) }
      return (0...(below.map(\.depth).max() ?? 0)).flatMap { depth in
        below.filter { $0.depth == depth }
      }
    }
  }

  func isMatched(_ node: Node, in view: Int) -> Bool? {
    views[view].layer.filter.map { node.object.contains($0) }
  }

  /// Returns true if a filter shows a node whose ancestors are all expanded.
  func isLetThrough(_ node: Node, in view: Int) -> Bool {
    guard views[view].layer.filter != nil, node.parent !== root else { return true }
    return node.subtree.contains { isMatched($0, in: view) == true }
  }

  /// Returns the siblings that a row counts: under a filter, a row counts only rows.
  func countedSiblings(of node: Node, isRow: Bool, in view: Int) -> [Node] {
    let siblings = node.parent?.children ?? []
    return isRow ? siblings.filter { isLetThrough($0, in: view) } : siblings
  }

  func setFilter(_ filter: String?, in view: Int) {
    var changed = views[view]
    if filter != nil {
      changed.layer.aside = changed.layer.aside ?? (changed.rule, changed.toggled)
      changed.rule = .all
      changed.toggled = []
    } else if let aside = changed.layer.aside {
      changed.layer.aside = nil
      changed.rule = aside.rule
      changed.toggled = aside.toggled
    }
    changed.layer.filter = filter
    views[view] = changed
  }
}
